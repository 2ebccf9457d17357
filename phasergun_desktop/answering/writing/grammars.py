"""Forms that a model is held to while it writes, as llama.cpp grammars (GBNF)."""

from __future__ import annotations

import json

NOT_FOUND = "NOT FOUND"
_MAX_VERDICT = 80
_MAX_BEFORE, _MAX_AFTER = 140, 60


def audit_grammar(count: int) -> str:
    """Return the grammar of the verdicts on ``count`` numbered sentences, on one line."""
    lines = ' "; " '.join(f'"{number}: " verdict' for number in range(1, count + 1))
    return (
        f'root ::= {lines} "\\n"?\n'
        'verdict ::= "OK" | "NOT STATED" | ("WRONG VALUE" | "CONTRADICTED") " “" words "”"\n'
        f"words ::= [^\\r\\n“”]{{3,{_MAX_VERDICT}}}\n"
    )


def pair_grammar(answer: str) -> str:
    """Return the grammar of one sentence that holds ``answer`` word for word."""
    words = " ".join(answer.split()).rstrip(".")
    return (
        f"root ::= before {{0,{_MAX_BEFORE}}} {json.dumps(words, ensure_ascii=False)} "
        f'after {{0,{_MAX_AFTER}}} "." "\\n"?\n'
        "before ::= [^\\r\\n.!?“”]\n"
        "after ::= [^\\r\\n.!?“”]\n"
    ).replace(" {0,", "{0,")
