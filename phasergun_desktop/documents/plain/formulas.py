r"""Reads formulas that stand between dollar signs in Markdown as the text that they show.

Programs that turn a PDF into Markdown set a number with its unit as a formula, sign by sign
(``$4 0 0 ~ \mathrm { m g / d L }$``). A reader sees ``400 mg/dL`` there, and so must the index.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from pylatexenc.latex2text import LatexNodes2Text

# As in pandoc a formula follows its dollar at once and ends where no space stands before the
# dollar and no digit behind it: two prices in a sentence are none.
_FORMULA = re.compile(
    r"(?<!\\)(?P<fence>\$\$?)(?![\s$])(?P<tex>(?:\\.|[^\\$]){1,500}?)(?<!\s)(?P=fence)(?![\d$])",
    re.DOTALL,
)
_SIGN_OF_TEX = re.compile(r"[\\^_{}]")
_SIGN_BY_SIGN = re.compile(r"\S(?:\s+\S)*")
_MAX_DEPTH = 20

# Spaces say nothing in a formula, but for the written ones and the end of a command's name.
_WRITTEN_SPACE = re.compile(r"\s*(?:~|\\[ ,;:]|\\(?:nobreakspace|q?quad)(?![A-Za-z]))\s*")
_END_OF_COMMAND = re.compile(r"(\\[A-Za-z]+)\s+(?=[A-Za-z])")
_SPACE = re.compile(r"[^\S\xa0]+")
_BARE_PERCENT = re.compile(r"(?<!\\)%")
_UNIT_BEHIND_NUMBER = re.compile(
    r"(?<=\d)(\}?)(?=\{*\\(?:mu(?![A-Za-z])|math(?:rm|sf)\{+(?:\\mu|[A-Za-z])))"
)
_DEGREE = re.compile(r"\^(?:∘|o(?=[CF]\b))|∘(?=[CF]\b)")
# "8^th" and "K^+" are read as written on one line; a power of ten keeps its mark.
_RAISED = re.compile(r"\^(?=[A-Za-z®™©*']|[+-](?!\d))")
_LOWERED = re.compile(r"_(?=-?\d)")
_STYLED_LETTERS = re.compile("[\U0001d400-\U0001d7ff]+")
_SHOWN = str.maketrans({"∼": "~", "⋅": "·", "∗": "*", "\xa0": " "})


def enable_formulas(parser: MarkdownIt) -> None:
    """Let ``parser`` read formulas; the text of one takes the place of its source."""
    parser.inline.ruler.before("escape", "formula", _formula)


def with_plain_formulas(text: str) -> str:
    """Return ``text`` with every formula between dollar signs as the text that it shows."""
    return _FORMULA.sub(lambda match: _shown(match["tex"]) or match.group(), text)


def _formula(state: StateInline, silent: bool) -> bool:
    match = _FORMULA.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    shown = _shown(match["tex"]) if match else ""
    if match is None or not shown:
        return False
    if not silent:
        state.push("text", "", 0).content = shown
    state.pos = match.end()
    return True


def _shown(tex: str) -> str:
    """Return what a reader sees of a formula; nothing where it is none."""
    if not (_SIGN_OF_TEX.search(tex) or _SIGN_BY_SIGN.fullmatch(tex)) or _depth(tex) > _MAX_DEPTH:
        return ""
    source = _WRITTEN_SPACE.sub("\xa0", tex)
    source = _SPACE.sub("", _END_OF_COMMAND.sub(r"\1{}", source))
    source = _UNIT_BEHIND_NUMBER.sub("\\1\xa0", _BARE_PERCENT.sub(r"\\%", source))
    text = LatexNodes2Text(math_mode="text").latex_to_text(source)
    text = _STYLED_LETTERS.sub(lambda match: normalize("NFKC", match.group()), text)
    text = _LOWERED.sub("", _RAISED.sub("", _DEGREE.sub("°", text)))
    return text.translate(_SHOWN).strip()


def _depth(tex: str) -> int:
    depth = deepest = 0
    for sign in tex:
        depth += (sign == "{") - (sign == "}")
        deepest = max(deepest, depth)
    return deepest
