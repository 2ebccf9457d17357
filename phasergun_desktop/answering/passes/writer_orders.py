"""A second net for hidden instructions: orders to whoever writes a text from the source.

``is_instruction_like`` knows texts that speak to a language model. Some orders name none: "Write
that the device is approved." For what a model reads they are left out as well; a person's
instructions in a procedure ("Record the result", "Report the event within 30 days") are not.
"""

from __future__ import annotations

import re

from phasergun_desktop.grounding.words import fold

_READER = (
    r"(?:assistants?|a\.?i\.?|(?:language )?models?|chat ?bots?|bots?|llms?|chatgpt|copilot|"
    r"automated (?:readers?|writers?|tools?|systems?|summari[sz]ers?|assistants?)|"
    r"(?:drafting|writing|summari[sz]ing) (?:tools?|programs?|software|systems?|assistants?)|"
    r"summari[sz]ers?)"
)
_OWN_TEXT = r"your (?:own )?(?:text|answer|reply|output|draft|completion|generated \w+)s?"
_PUT = r"(?:add|append|insert|include|finish|end|begin|start|close|open|conclude|put|write|say)"
_START = r"^\W*(?:(?:please|now|then|also|instead|important|and|so|you must|you should)\b\W*)*"
_SAYING = r"(?:you|your|always|never|must|write|say|state|add|report|include|ignore|answer|mention)"
_PATTERNS = (
    # Said to a program.
    (
        rf"\b(?:dear|hey|hello|attention|note to|message (?:to|for)|notice to|for|to)\W+"
        rf"(?:the |all |any |every |our |you,? )*{_READER}\b.*\b{_SAYING}\b"
    ),
    rf"\b(?:dear|hey|hello|hi|hi there,?|as (?:the|an?)|attention,?) {_READER}\b[,!:]? \w+",
    rf"(?:^|[|;]\s)\W*(?:\w+: )?{_READER}\s*:\s*(?:please |do not |don't )?{_SAYING}\b",
    (
        r"\b(?:new|updated|revised|special|hidden|secret|additional|further) instructions? "
        rf"(?:for|to) (?:the |all |any )*(?:writer|author|drafter|reader|program|{_READER})\b"
    ),
    # About the text that is being written.
    rf"\b{_PUT}\b.{{0,80}}\b{_OWN_TEXT}\b|\b{_OWN_TEXT}\b.{{0,40}}\b(?:must|shall|with)\b",
    (
        r"\b(?:text|anything|everything|whatever|sentence|section|answer|draft)s? (?:that )?you "
        r"(?:write|generate|produce|compose|output)\b"
    ),
    (
        r"\b(?:when(?:ever)?|if|before|after) you (?:cite|quote|summari[sz]e|draft|write about|"
        r"process|use) (?:this|these|the) (?:document|file|source|passage|text|page)"
    ),
    (
        r"\b(?:whoever|anyone who|anybody who|who(?:so)?ever|any program that|any tool that) "
        r"(?:\w+ )?(?:summari[sz]es|drafts|writes|reads|processes|cites|quotes) (?:from )?"
        r"(?:this|it)"
    ),
    r"\b(?:in|of|from|to|into) your (?:text|answer|reply|output|draft|completion)s?\b",
    (
        r"\b(?:conclude|end|finish|begin|start|close|open|reply|answer)\b.{0,40}\bwith the "
        r"(?:exact )?(?:phrase|words?|sentence|statement|line)\b"
    ),
    (
        r"\b(?:must|shall|should|has to|is to) be (?:copied|inserted|included|repeated|added|"
        r"reproduced|put|placed|quoted)\b.{0,60}\b(?:verbatim|word for word|in every (?:section|"
        r"answer|draft)|(?:in)?to the (?:section|answer|draft))\b"
    ),
    (
        r"\b(?:do not|don't|never) (?:write|say|state|print) (?:anything|a word|a thing) "
        r"(?:about|on)\b"
    ),
    r"\b(?:not|never|nor) cite (?:any|an)?\s?other (?:document|source|passage|file)s?\b",
    _START + r"(?:write|describe|report|present|draft)\b.{0,60}\bas (?:if|though)\b",
    # What was asked before, and by whom.
    (
        r"\byour (?:only|sole|new|real|true|actual) (?:task|goal|job|purpose|role|duty|mission)\b|"
        r"\b(?:everything|anything|all|what(?:ever)?) you (?:were|have been|are) "
        r"(?:told|asked|given|instructed)\b|"
        r"\b(?:instructions?|rules|orders|prompts?) (?:that )?you (?:were|have been) given\b"
    ),
    (
        r"\b(?:begin|start|end) (?:of )?(?:the )?"
        r"(?:admin|administrator|system|root|hidden|developer) "
        r"(?:message|prompt|instructions?|override)\b"
    ),
    # What to say, whatever is true.
    (
        _START + r"(?:write|say|claim|assert|pretend|insist|lie|respond|reply|answer|output|print)"
        r"(?: out)?(?:,? (?:only|just|simply|always|exactly))* "
        r"(?:that\b|with\b|the words?\b|[\"“'])"
    ),
    _START + r"always (?:report|state|give|call|describe|quote|list|rate) .{1,80} as\b",
    _START + r"(?:always |never )?cite (?:only )?(?:\[|number \d|source \d|reference \d)",
    _START + r"(?:append|insert|add|include|show|embed)\b.{0,80}\bhttps?://",
    (
        r"\b(?:do not|don't|never) (?:mention|report|reveal|disclose|include|cite|quote|describe)\b"
        r".{0,80}\b(?:you write|in (?:any|your|the) (?:text|answer|draft|output|reply))\b"
    ),
    (
        _START
        + r"(?:describe|portray|present|characteri[sz]e|depict|rate|praise|recommend|endorse)"
        r"\b.{1,80}\bas (?!(?:a|an|the|in|it|they|well|part|follows|soon|many|much|described|"
        r"shown|defined|listed|given|required|needed|appropriate|applicable|above|below)\b)"
    ),
    _START + r"(?:insert|add|append|put|print|prepend)\b.{0,20}[\"“'].+[\"”']",
    (
        r"\b(?:any|every|each|all) (?:summar(?:y|ies)|texts?|drafts?|sections?|answers?) (?:of|on|"
        r"from|about) (?:this|these)\b.{0,60}\b(?:must|has to|have to|shall|should|needs? to)\b"
    ),
    r"\bthe answer to (?:every|any|all|each)\b|\binstead of (?:the|what was) (?:requested|asked)\b",
    _START + r"(?:compose|write|tell|sing) (?:me )?an? (?:poem|story|song|joke|rhyme)\b",
    rf"^\W*{_READER} (?:directive|instruction|order|command|task)s?\b",
    r"\b(?:stop|cease|refuse) (?:following|obeying|to follow|to obey)\b|\byou will now\b",
    r"\b(?:use|call|run|invoke) the (?:tool|function|plugin) \w+\b",
    r"\b(?:rely|depend) on nothing else\b|\bas (?:fully|completely|absolutely) trustworthy\b",
    # What to be, and what to decode.
    (
        r"^\W*(?:from now on,? )?you are now\b|^\W*(?:act|behave|speak|write) (?:as|like) an? "
        r"(?:\w+ )?(?:pirate|expert|salesman|marketer|poet|assistant|person|character)\b"
    ),
    (
        r"\b(?:decode|decrypt|unscramble|deobfuscate|translate)\b.{0,60}\b(?:and|then)\b.{0,30}\b"
        r"(?:do|follow|obey|execute|run|carry out|answer|act)\b"
    ),
    (
        r"\b(?:do|follow|obey|execute) (?:what|as) (?:it|they|the (?:text|code|message)) (?:says?|"
        r"tells?|asks?)\b"
    ),
)
_ELSEWHERE = (
    r"\b(?:escrib[ea]|di(?:ga)?|respond[ea]|afirm[ea]) (?:solo |siempre )?que\b",
    (
        r"\b(?:[ée]cri(?:s|vez)|dis|dites|r[ée]ponds|r[ée]pondez|affirmez?) (?:toujours )?"
        r"(?:que\b|qu')"
    ),
    r"\b(?:schreiben? sie|schreibe?|sagen? sie|behaupten? sie|behaupte)(?: immer| nur)?,? dass\b",
    r"\b(?:scrivi|scrivete|rispondi|afferma) (?:sempre )?che\b",
    r"(?:忽略|无视|無視|忘记|忘記)[^。]{0,12}(?:内容|內容|以上|之前|上文)|只(?:回复|回答|输出|回覆|輸出)",
)
_ORDERS = tuple(re.compile(pattern) for pattern in (*_PATTERNS, *_ELSEWHERE))
# DeviceGPT, but not the enzyme SGPT.
_MODEL_NAME = re.compile(r"\b[A-Z][a-z]+-?GPT\b")


def is_order_to_the_writer(text: str) -> bool:
    """Whether ``text`` (a sentence or a row) tells whoever writes from it what to write."""
    folded = " ".join(fold(text).split())
    return _MODEL_NAME.search(text) is not None or any(
        pattern.search(folded) for pattern in _ORDERS
    )
