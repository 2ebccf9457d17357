"""Runs commands on a network of their own that leads nowhere, and counts what they send.

    unshare --map-root-user --net python counted_network.py SECONDS '[["command", "word"], …]'

Every address of the world lies behind the loopback device of a fresh network namespace, so that
the kernel counts each packet of every process in it, name look-ups and native code included. All
commands but the last run to their end; the last one is ended after SECONDS. A JSON object tells
what became of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def lead_everything_to_loopback() -> None:
    """Make this namespace's loopback device the way to every address."""
    for words in (
        "link set lo up",
        "route add local 0.0.0.0/0 dev lo",
        "-6 route add local ::/0 dev lo",
    ):
        subprocess.run(["ip", *words.split()], check=True)


def packets_sent() -> int:
    """Return how many packets the loopback device of this namespace has sent."""
    for line in Path("/proc/self/net/dev").read_text("ascii").splitlines():
        name, _, figures = line.partition(":")
        if name.strip() == "lo":
            return int(figures.split()[9])
    raise RuntimeError("there is no loopback device")


def main(seconds: str, commands: str) -> int:
    """Run the commands and print how they ended (``codes``, ``said``) and ``packets``."""
    lead_everything_to_loopback()
    before = packets_sent()
    codes: list[int | None] = []
    said: list[str] = []
    *first, last = json.loads(commands)
    for words in first:
        done = subprocess.run(words, capture_output=True, check=False)
        codes.append(done.returncode)
        said.append((done.stdout + done.stderr).decode("utf-8", "replace")[-2000:])
    stays = subprocess.Popen(last, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        codes.append(stays.wait(float(seconds)))
    except subprocess.TimeoutExpired:
        stays.terminate()
        stays.wait(30)
        codes.append(None)
    print(json.dumps({"codes": codes, "said": said, "packets": packets_sent() - before}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
