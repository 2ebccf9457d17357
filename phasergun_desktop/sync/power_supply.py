"""Whether the machine runs on its battery."""

from __future__ import annotations

import sys
from pathlib import Path

_LINUX = Path("/sys/class/power_supply")

if sys.platform == "win32":
    import ctypes

    def is_on_battery() -> bool:
        """Say whether the machine is not plugged in."""
        status = (ctypes.c_ubyte * 12)()  # SYSTEM_POWER_STATUS; its first byte is ACLineStatus
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(status)) and status[0] == 0

else:

    def is_on_battery(supplies: Path = _LINUX) -> bool:
        """Say whether the machine is not plugged in; never where Linux does not say it (macOS)."""
        return any(
            _says(each, "type") == "Battery"
            # That of a mouse is none of the machine's.
            and _says(each, "scope") != "Device"
            and _says(each, "status") == "Discharging"
            for each in supplies.glob("*")
        )


def _says(supply: Path, name: str) -> str:
    try:
        return (supply / name).read_text("ascii", "replace").strip()
    except OSError:
        return ""
