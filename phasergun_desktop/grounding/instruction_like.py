"""Text that speaks to a language model or assistant instead of stating something."""

from __future__ import annotations

import base64
import binascii
import html
import re
from functools import lru_cache

from phasergun_desktop.grounding.words import fold

# What only a text for a model is about.
_MODEL = (
    r"(?:language model|large language model|llm|ai (?:assistant|model|system|agent|language"
    r"|writer|tool)|(?:the|this|any|dear|hey|attention|note to|hello|hi) (?:ai|"
    r"assistant|chatbot|chat ?gpt|copilot"
    r"|claude|gemini|gpt(?:-\d)?)|chat ?gpt|chatbot|gpt-\d|language-model)"
)
_BEFORE = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|other|former|initial)"
)
_ORDERS = (
    r"(?:instructions?|prompts?|directives?|guidelines given|guidance given|messages?|commands?"
    r"|orders|system rules|rules (?:you|that you|given|above)|context above|task(?:s)? "
    r"(?:above|given))"
)
_DROP = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|discard|skip|do not "
    r"follow|don't follow|stop following|pay no attention to|neglect)"
)
_AIMED = tuple(
    re.compile(pattern)
    for pattern in (
        # Drop what you were told.
        rf"\b{_DROP}\b(?: \w+){{0,3}}? {_BEFORE}(?: \w+){{0,3}}? {_ORDERS}\b(?! for use)",
        (
            rf"\b{_DROP}\b (?:all |any |of |the |these |those |your |my |every )*{_ORDERS}"
            r"(?: (?:above|before|so far|you (?:have|were|got|received)|given to you|"
            r"that came before|and)|[.!:;,]?$)"
        ),
        (
            rf"\b{_DROP}\b (?:all |any |of |the |everything|anything|what|whatever)(?: \w+){{0,3}}?"
            r" ?(?:you (?:were|have been|are) (?:told|given|asked|instructed)|said (?:above|before)"
            r"|(?:written|stated|came) (?:above|before) (?:this|and)|(?:above|before)"
            r" and (?:write|say|reply|output|answer|instead|print))"
        ),
        (
            r"\b(?:your|the) (?:system prompt|initial prompt|hidden prompt|system message|"
            r"system instructions?|developer message)\b"
        ),
        r"\b(?:system|developer|user|assistant) ?(?:prompt|override)\b ?[:>=]",
        (
            r"\b(?:reveal|print|repeat|show|output|leak|disclose|quote|copy) (?:me )?(?:your|"
            r"the) (?:system |initial |hidden |full |entire |secret )*(?:prompt|instructions "
            r"(?:above|you)|rules you)\b"
        ),
        (
            r"\bnew (?:system )?instructions?(?: for you)? ?:|\bupdated instructions? "
            r"for (?:the|you)\b"
        ),
        # You are something else now.
        (
            r"\byou are (?:now |no longer |hereby )*(?:an? |the |my )?(?:\w+ ){0,3}(?:ai|"
            r"assistant|language model|llm|chatbot|gpt|dan|bot|jailbroken|unrestricted|"
            r"pirate)\b"
        ),
        (
            r"\byou are (?:now|no longer) (?:an? |the |in |bound|free|acting|required|"
            r"restricted|limited|allowed)"
        ),
        (
            r"\bfrom now on,? (?:you |always |respond|reply|answer|write|say|do not|never|"
            r"act|pretend)"
        ),
        (
            r"\b(?:act|behave|respond|pretend|roleplay|role-play) (?:as if you|as though "
            r"you|as an? (?:ai|assistant|pirate|dan|unrestricted|jailbroken|expert (?:who|"
            r"that))|to be an? |like an? (?:ai|assistant|pirate))"
        ),
        (
            r"\bas an? (?:ai|artificial intelligence|language model|llm)(?:\b(?! system|"
            r" device| function| component| tool))"
        ),
        (
            r"\b(?:enter|enable|activate|switch (?:in)?to) (?:developer|debug|god|dan|"
            r"jailbreak|unrestricted|admin) mode\b|\bjailbreak\b"
        ),
        (
            rf"\b(?:if|when) (?:you are|you're) (?:an? |the )?(?:{_MODEL}|ai\b|assistant\b|"
            r"model\b|reading this as)"
        ),
        (
            r"\b(?:instructions?|notes?|notice|message|attention|important|warning|task|"
            r"hint|reminder)(?: \w+)?(?: to| for|,|:|!)* (?:all |any |every |the |an? "
            rf")*(?:{_MODEL}s?(?:[:,!]|(?= must| should| shall| reading))|ai[:,]"
            r"|(?:assistants?|models?)[:,] (?!number)|llms?\b|summari[sz]ers?\b"
            r"|drafting (?:tool|model|assistant|software|program))"
        ),
        (
            rf"\b(?:any|every|all|the|an?|dear|this) (?:{_MODEL}|ai)(?: \w+){{0,4}} (?:must|"
            r"shall|should|is to|has to|will|needs to|are to|is instructed|is required)"
            r" (?:now |also |always |only |not |instead )*(?:ignore|write|say|state|reply|"
            r"respond|answer|output|print|include|add|insert|repeat|omit|cite|claim|conclude|"
            r"end|begin|start|mention|report|recommend|summari[sz]e)"
        ),
        # How to answer.
        (
            r"\b(?:reply|respond|answer)(?: \w+)? (?:only )?(?:with|by saying|using)(?: "
            r"only| exactly| just| nothing but)? (?:the (?:word|words|phrase|text|sentence|"
            r"string|following)|only|exactly|nothing|\"|'|yes\b|no\b|ok\b)"
        ),
        r"\b(?:reply|respond|answer)(?: only| just| exactly| always)+ (?:with|in|by)\b",
        (
            r"\b(?:output|print|emit|generate|produce|write|say|repeat|return|type|echo)"
            r"(?: out| only| exactly| just| verbatim| back| nothing but| instead)* (?:the "
            r")?(?:following (?:text|sentence|words?|phrase|string|line|paragraph|verbatim|"
            r"exactly|instead|json|code)|(?:word|words|phrase|string) [\"'])"
        ),
        (
            r"\b(?:say|write|state|claim|print|output|conclude|respond|reply|answer|report|"
            r"insert|add|append|include)(?: in (?:the|your|every|each) (?:answer|draft|"
            r"section|response|summary|output|reply|sentence))?(?: only| that| exactly|"
            r" just| instead| the sentence| the words?| the phrase)* ?:? ?[\"'].{3,}[\"'] "
            r"?(?:instead|"
            r"in (?:your|the|every|each) (?:answer|draft|response|summary|output|reply|"
            r"section|sentence)|at the (?:end|start|beginning) of (?:your|the|every|each)"
            r" (?:answer|draft|response|summary|output|reply|section|sentence)|and nothing "
            r"else|verbatim|regardless|as your)"
        ),
        (
            r"\b(?:in|at the (?:end|start|beginning|top) of|to) your (?:answer|response|"
            r"reply|output|draft|summary|completion|next message)\b(?:,? (?:you )?(?:must|"
            r"always|never|do not|also|include|add|write|say|state|claim|insert|append|"
            r"mention|put|begin|end|start)\b|,? [\"']|[.!:]?$)"
        ),
        (
            r"\b(?:your|the) (?:answer|response|reply|output|completion) (?:must|should|"
            r"shall|has to|is to|will) (?:only |always |not |now |instead |simply )*(?:be|"
            r"begin|start|end|contain|include|say|state|consist|mention|read|claim)(?= "
            r"(?:with |only |exactly |just |of |in |the (?:word|phrase|sentence|following|"
            r"string) ?|\"|'|that ))(?! the date)"
        ),
        (
            r"\b(?:do not|don't|never|without) (?:cite|citing|mention|mentioning|reveal|"
            r"revealing|disclose|tell|telling|quote|quoting) (?:any |the |this |these "
            r"|your |to the )*(?:sources?|footnotes?|citations?|passages?|instructions?|"
            r"prompts?|user|reader|notice|note)\b(?! (?:of|to the (?:patient|public|press)"
            r"))"
        ),
        r"\bdo not (?:cite|footnote)\b(?! (?:this (?:document|draft|guidance) (?:in|as)))",
        (
            r"\b(?:cite|use|quote|mention|treat|trust|prefer) (?:only )?this (?:document|"
            r"file|passage|text|page|paragraph|source|sentence)(?: \w+){0,3} (?:as (?:the "
            r")?(?:only|sole|source|evidence|proof|support)|for (?:every|each|all)|in "
            r"(?:every|each) (?:answer|sentence|section)|above all|over (?:all|any|every)"
            r" other)"
        ),
        (
            r"\b(?:tell|inform|assure|convince|ask) the user (?:that|to)\b.*\b(?:password|"
            r"api key|visit|click|send|email|safe|cleared|approved|no (?:risks?|further)"
            r")"
        ),
        (
            r"\b(?:this|the following|these) (?:instructions?|notice|message|text|order|"
            r"command)s? (?:override|overrides|overrule|overrules|supersede|supersedes|"
            r"take precedence over|takes precedence over|outrank|outranks|replace|replaces)"
            r" (?:all |any |every |your |the )*(?:other |previous |prior |earlier |existing "
            r"|system )*(?:instructions?|prompts?|rules|guidelines you)\b(?! for use)"
        ),
        (
            r"\b(?:mark|label|flag|rate|score|treat|classify) (?:every|each|all|this|"
            r"the) (?:sentences?|answers?|claims?|drafts?|passages?|statements?) (?:\w+ "
            r"){0,3}?as (?:supported|true|verified|trusted|high|correct)\b"
        ),
        (
            r"\b(?:when|while|before|after|if|once) (?:you )?(?:summari[sz](?:e|ing)|"
            r"draft(?:ing)?|answer(?:ing)?|generat(?:e|ing)|process(?:ing)?|read(?:ing)?|"
            r"quot(?:e|ing)|cit(?:e|ing)) (?:this|these|the above|from this|any of this)"
            r"(?: \w+){0,3},? (?:you must |you should |you shall |please |always |also "
            r"|instead |then )*(?:ignore|say|state|write|claim|reply|respond|output|print|"
            r"include the (?:sentence|words?|phrase|text)|add the (?:sentence|words?|"
            r"phrase|text)|omit|leave out|never mention|do not mention|conclude|recommend)"
            r"\b"
        ),
        (
            r"\b(?:delete|erase|exfiltrate|upload|send|email|post|forward)(?: \w+){0,4} "
            r"(?:to|at) https?://|\b(?:execute|run|eval(?:uate)?) (?:the following|this)"
            r" (?:command|shell|code|script|python|javascript)\b ?:"
        ),
        (
            r"\b(?:execute|run|call|invoke|use) the (?:tool|function|plugin)s? [\"'`\w]+\(|"
            r"\btool_call\b|\bfunction_call\b"
        ),
        # Marks of chat formats.
        (
            r"<\|[a-z_]{2,30}\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant|user|instructions?|"
            r"prompt|s?ys_?prompt|admin)>|\[(?:system|assistant|developer)\](?:[:( ]|"
            r"$)|#{2,} ?(?:system|assistant|instructions?|human|user|response)\b ?:|\bbegin "
            r"(?:system )?(?:prompt|instructions?)\b ?[-:=\]]|\bend of (?:system )?(?:prompt|"
            r"context|document)\b[. ]*(?:new|now|begin)"
        ),
        (
            r"^\W{0,4}(?:system|assistant|human|developer|ai|user) ?: ?(?:you|ignore|"
            r"please|from now|the (?:user|assistant)|i |i'|sure|of course|disregard|write|"
            r"reply|respond|answer|do not|always|never)\b"
        ),
        # The common ones in other languages.
        (
            r"\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie) (?:\w+ ){0,4}(?:anweisung\w*|"
            r"instruktion\w*|befehl\w*|vorgaben|eingabe\w*)\b"
        ),
        (
            r"\b(?:ignor(?:e|ez|er|a|ar|en|ad|i|are)|oubli(?:e|ez|er)|olvid(?:a|e|ar|"
            r"en)|dimentica(?:re|te)?|esque[cç](?:a|am|er)|negeer|vergeet|desconsider(?:e|"
            r"a|ar)) (?:\S+ ){0,4}(?:instructions? (?:pr[eé]c[eé]dentes?|ant[eé]rieures?|"
            r"ci-dessus)|consignes|instrucciones|istruzioni|instru[cç][oõ]es|(?:vorige "
            r"|eerdere |bovenstaande )?instructies)"
        ),
        (
            r"\b(?:du bist|sie sind|tu es|vous [eê]tes|eres|sei|voc[eê] [eé]|je bent)"
            r"(?: \w+){0,3} (?:ki-assistent|ki|assistent|sprachmodell|assistant|ia|modelo "
            r"de lenguaje|asistente|assistente|mod[eè]le de langage|modello linguistico)"
            r"\b"
        ),
        (
            r"\b(?:antworte|antworten sie|r[eé]ponds|r[eé]pondez|responde|responda|rispondi|"
            r"rispondere|antwoord) (?:nur|ausschlie(?:ß|ss)lich|uniquement|seulement|"
            r"s[oó]lo|solamente|[uú]nicamente|solo|soltanto|apenas|somente|alleen)\b"
        ),
        (
            r"(?:忽略|无视|無視|忘记|忘記|不要理会)[^。]{0,12}(?:指令|指示|提示|说明|說明|命令)|你现在是|你現在是|系统提示|系統提示|"
            r"(?:指示|命令|プロンプト)[^。]{0,6}(?:無視|忘れ)|あなたは今|(?:지시|명령|프롬프트)[^.]{0,8}(?:무시|잊)"
            r"|игнорируй\w*|забудь\w* (?:\w+ ){0,3}(?:инструкци|указани)|تجاهل"
        ),
    )
)
_CUE = re.compile(
    r"ignor|missacht|verg[ei]ss|disregard|forget|overr|bypass|discard|\bskip|follow|no attention"
    r"|neglect|prompt|instruct|instrucc|istruz|instru[cç]|consignes|you are|you're|from now"
    r"|\b(?:act|behave|respond|response|reply|answer|roleplay|role-play|pretend|summar\w+"
    r"|complet\w+|output|print|emit|generate|write|say|state|repeat|return|type|echo|produce"
    r"|ai|llms?|chat|gpt|chatgpt|copilot|claude|gemini|assistants?|model|models|mode|user|cit\w+"
    r"|footnote|mark|label|flag|rate|score|treat|classify|insert|append|include|add|claim"
    r"|conclude|report|reveal|show|leak|disclose|quote|copy|mention\w*|tell|inform|assure"
    r"|convince|ask|override|delete|erase|exfiltrate|upload|send|email|post|forward|execute|run"
    r"|eval|call|invoke|use|switch|enable|enter|activate|jailbreak|tool_call|function_call"
    r"|system|developer|human|begin|end)\b|<|\[/?inst|language.model"
    r"|\b(?:du bist|sie sind|tu es|vous|eres|sei|voc|je bent|oubli|olvid|dimentic|esque|negeer"
    r"|vergeet|desconsid|antwort|r[eé]pond|respond|rispond|antwoord)"
    r"|[^\x00-\u024f\u2000-\u22ff]"
)
_HIDDEN = re.compile(r"<!--((?:(?!<!--|-->).)*)-->", re.DOTALL)
_TAG = re.compile(r"<(?!\|)/?[a-z][^>\n]{0,200}>", re.IGNORECASE)
_KEPT_TAG = re.compile(
    r"</?(?:system|assistant|user|instructions?|prompt|s?ys_?prompt|admin)>", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(?<!\w)[*_`~#>|]+|(?<![*_`~|])[*_`~|]+(?!\w)")
_SPACED = re.compile(r"\b(?:[a-z][ .\-_]){4,}[a-z]\b")
_BASE64 = re.compile(r"\b[A-Za-z0-9+/]{24,}={0,2}")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_TAG_LETTERS = re.compile("[\U000e0020-\U000e007e]+")
# Some patterns try every end for every beginning: a long text is read in pieces that overlap.
_PIECE = 4000
_OVERLAP = 500
_LEET = str.maketrans("013457@$", "oieastas")
# Cyrillic and Greek letters that look like Latin ones.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁһԛԝοαερτυνικ", "aeopcyxijsdhqwoaeptuvik")


@lru_cache(maxsize=4096)
def is_instruction_like(text: str) -> bool:
    """Whether ``text`` is aimed at a language model, not at a reader of a procedure.

    Looks through markup, comments, invisible, look-alike and spaced letters, and encoded words.
    The imperatives of procedures ("Do not use the strip after …") are no such text.
    """
    return any(_is_aimed(form) for form in _forms(text))


def _is_aimed(folded: str) -> bool:
    starts = range(0, max(1, len(folded) - _OVERLAP), _PIECE - _OVERLAP)
    # Most text has none of the words that every pattern needs one of.
    return any(
        pattern.search(folded, start, start + _PIECE) is not None
        for start in starts
        if _CUE.search(folded, start, start + _PIECE) is not None
        for pattern in _AIMED
    )


def _forms(text: str) -> list[str]:
    """Return the text as a model could read it: as it stands, bare, and decoded."""
    tagged = _TAG_LETTERS.sub(
        lambda match: f" {''.join(chr(ord(c) - 0xE0000) for c in match.group())} ", text
    )
    plain = _INVISIBLE.sub("", html.unescape(tagged))
    folded = " ".join(fold(plain).split())
    forms = [folded]
    bare = _TAG.sub(
        lambda match: match.group() if _KEPT_TAG.fullmatch(match.group()) else " ",
        _HIDDEN.sub(r" \1 ", plain),
    )
    bare = " ".join(_EMPHASIS.sub(" ", fold(bare)).split())
    if bare != folded:
        forms.append(bare)
    alike = bare.translate(_LOOKALIKES)
    if alike != bare and re.search("[a-z]", bare):
        forms.append(alike)
    if re.search(r"[a-z][013457@$][a-z]", bare):
        forms.append(bare.translate(_LEET))
    if _SPACED.search(bare):
        forms.append(re.sub(r"(?<=\b\w)[ .\-_](?=\w\b)", "", re.sub(r" {2,}", "\n", fold(plain))))
        forms.append(_without_gaps(fold(plain)))
    forms.extend(_decoded(plain))
    return forms


def _without_gaps(folded: str) -> str:
    """Return "i g n o r e   a l l" as "ignore all": a wider gap parts the words."""
    words = re.split(r"\s{2,}|\s*[|/]\s*", folded)
    return " ".join(re.sub(r"(?<=\b\w)[ .\-_](?=\w\b)", "", word) for word in words)


def _decoded(plain: str) -> list[str]:
    found = []
    for match in _BASE64.finditer(plain):
        word = match.group()
        try:
            raw = base64.b64decode(word + "=" * (-len(word) % 4), validate=True)
            text = raw.decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if text.isprintable():
            found.append(" ".join(fold(text).split()))
    return found
