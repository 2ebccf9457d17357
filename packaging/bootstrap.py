"""Sets PhaserGun Desktop up from a fresh clone, then runs or tests it.

    python3 packaging/bootstrap.py run [PROJECT]
    python3 packaging/bootstrap.py test [--with custom-models]
    python3 packaging/bootstrap.py install

The standard library alone; Python 3.11 or newer, pip and a C++ compiler are needed.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Check the version of Python, then hand over to code that would not load on an older one."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the reason why this file is here
        found = ".".join(str(part) for part in sys.version_info[:2])
        print("Stopped: PhaserGun needs Python 3.11 or newer; this is Python " + found + ".")
        print("Remedy:  Install Python 3.11 or newer and start this file with it.")
        return 1
    from setup_steps.program import main as program  # noqa: PLC0415

    return program(sys.argv[1:], Path(__file__).resolve().parent.parent)


if __name__ == "__main__":
    sys.exit(main())
