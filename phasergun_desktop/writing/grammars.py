"""Forms that a model is held to while it writes, as llama.cpp grammars (GBNF)."""

from __future__ import annotations

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
