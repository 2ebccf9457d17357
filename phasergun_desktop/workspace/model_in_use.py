"""Which model is in use and where text goes, from the settings alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.endpoint_address import parse_address
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelProfile


@dataclass(frozen=True, slots=True)
class RemoteNotice:
    """A remote model in words. ``address`` is all of where passages go, ``place`` host and port;
    ``warning`` is empty or a sentence."""

    profile: ModelProfile
    model: str
    address: str
    place: str
    is_this_machine: bool
    has_consent: bool
    sends_confidential: bool
    warning: str = ""

    @property
    def line(self) -> str:
        """What the status bar says at all times."""
        where = (
            "passages go to another program on this machine"
            if self.is_this_machine
            else "passages leave this machine"
        )
        return f"Remote model: {self.model} at {self.place}: {where}"


def remote_notice(generation: Generation) -> RemoteNotice | None:
    """Return what must be said while a remote model is in use; None while none is."""
    profile = generation.model_profile
    choice = generation.choice(profile)
    if not choice.is_remote:
        return None
    endpoint = choice.endpoint
    try:
        address = parse_address(endpoint.address)
    except ModelError as error:
        return RemoteNotice(
            profile,
            endpoint.model,
            endpoint.address,
            endpoint.address,
            False,
            False,
            False,
            error.message,
        )
    return RemoteNotice(
        profile,
        endpoint.model,
        str(address),
        address.place,
        address.is_this_machine,
        endpoint.has_consent,
        endpoint.sends_confidential,
        address.warning,
    )


def agreed(generation: Generation, notice: RemoteNotice) -> Generation:
    """Return the choices with the consent that was given to ``notice``.

    Raises ``ModelError`` where the profile has another server by now: the question did not name
    it.
    """
    choice = generation.choice(notice.profile)
    address = str(parse_address(choice.endpoint.address)) if choice.is_remote else ""
    if address != notice.address:
        raise ModelError(
            "The server was changed",
            f"You were asked about {notice.address}, and another model has been chosen meanwhile; "
            "nothing was agreed to and nothing was sent.",
            "Press Generate again to be asked about the one that is in use now.",
        )
    endpoint = replace(choice.endpoint, address=address, consented_address=address)
    return generation.with_choice(notice.profile, replace(choice, endpoint=endpoint))
