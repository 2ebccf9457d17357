"""Language models: one protocol, the local llama.cpp adapter, and the prefix state on disk."""
