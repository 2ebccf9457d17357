"""Who an exported document says it is by."""

from __future__ import annotations

import ctypes
import os
import sys

_DISPLAY_NAME = 3
_LONGEST_NAME = 256


def account_holder() -> str:
    """Return the full name of the person whose account this is, as Word takes it; ``""`` where
    the system knows the login alone, which is the machine's and tells a reader nothing."""
    if sys.platform == "win32":
        name = ctypes.create_unicode_buffer(_LONGEST_NAME)
        size = ctypes.c_ulong(_LONGEST_NAME)
        if not ctypes.windll.secur32.GetUserNameExW(_DISPLAY_NAME, name, ctypes.byref(size)):
            return ""
        return name.value.strip()
    import pwd  # noqa: PLC0415  # not on Windows

    try:
        account = pwd.getpwuid(os.getuid())
    except KeyError:
        return ""
    full = account.pw_gecos.split(",")[0].strip()
    return "" if full.lower() == account.pw_name.lower() else full
