"""PhaserGun Desktop drafts cited sections of submissions from a company's own documents."""

import os

# Said before any library is loaded, and inherited by every process that is started from here:
# none of them may tell its makers who uses it, or ask a server for a model.
os.environ.update(
    ORT_DISABLE_TELEMETRY="1",
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_HUB_OFFLINE="1",
    DO_NOT_TRACK="1",
)
# Threads of a product of matrices wait for each other: while a model keeps the cores busy it takes
# ten times as long with two as with one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
