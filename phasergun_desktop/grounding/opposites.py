"""Words that turn a statement round: denials, opposites, and words of which only one can hold."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

from phasergun_desktop.text.words import stem, word_set

# Words that deny what follows them.
NEGATORS = word_set(
    """not no never none neither nor without cannot can't isn't aren't wasn't weren't doesn't don't
    didn't won't wouldn't shouldn't couldn't mustn't hasn't haven't hadn't ain't lack lacks lacked
    lacking absence fail fails failed failing unable incapable refuse refuses refused free-of
    n't nothing nobody devoid"""
)
# Words that forbid by themselves: "avoid wiping" denies "wipe".
FORBIDDING = word_set("avoid prohibit prohibited refrain forbid forbidden contraindicated")
# Words that restrict or forbid: a source with one may be carried on as a denial.
RESTRICTIONS = word_set(
    """only unless except excepting exclude excludes excluded excluding exclusion prohibit prohibits
    prohibited avoid avoids avoided avoiding prevent prevents prevented preventing until before
    instead rather less fewer neither void forbid forbidden limited restrict restricted reject
    rejected refrain contraindicated contraindication zero nil low rarely hardly absent missing
    other-than outside beyond stop stopped discontinue discontinued cease ceased false deny denied
    removed remove removal independent independently free"""
)
AUXILIARIES = word_set(
    """do does did is are was were be been being has have had will would can could may might shall
    should must to it any yet a an the from"""
)
# Each line: words on one side | words on the other.
_PAIRS = """
open opened opening | closed close closes
increase increases increased increasing | decrease decreases decreased decreasing reduce
increase increases increased increasing | reduces reduced reducing lower lowered lowers
increase increases increased increasing | decline declines declined
rise rises raised | decline declines declined decrease decreases decreased reduced lowered
above exceed exceeds exceeded exceeding | below under beneath
minimum min | maximum max
before prior preceding precedes earlier | after following follows subsequent later
pass passes passed passing | fail fails failed failing
sterile | nonsterile unsterile
single-use disposable | reusable multiple-use multi-use
with | without
higher greater larger more | lower less smaller fewer
highest greatest largest most maximum | lowest least smallest fewest minimum
include includes included including | exclude excludes excluded excluding
approve approves approved approval | reject rejects rejected rejection refuse refused
accept accepts accepted acceptance | reject rejects rejected rejection refuse refused
valid | invalid
internal internally inside | external externally outside
required mandatory obligatory | optional voluntary
permitted allowed permissible | prohibited forbidden
indicated intended | contraindicated prohibited
systolic | diastolic
inlet | outlet
anode | cathode
positive | negative
present presence | absent absence
active activated activate | inactive deactivated deactivate
enable enables enabled | disable disables disabled
start starts started starting | stop stops stopped end ends ended ending
begin begins began beginning | stop stops stopped end ends ended ending
first | last
new | old existing
upper top | lower bottom
left | right
wet | dry
hot | cold
same identical equal equivalent | different differing unequal
similar | dissimilar
connected connect | disconnected disconnect
invasive | noninvasive
complete completed | incomplete uncompleted
safe | unsafe hazardous
acceptable | unacceptable
prospective | retrospective
manual manually | automatic automatically automated
wired | wireless
temporary | permanent
short-term | long-term
primary | secondary
major | minor
qualitative | quantitative
prescription | over-the-counter otc nonprescription
professional | lay
adult adults | pediatric paediatric children
direct directly | indirect indirectly
always | never
all every | none
true | false
on | off
added add adds | removed remove removes
early | late
known | unknown
critical | noncritical non-critical
conforming | nonconforming
compliant | noncompliant
increase | decrease
venous | capillary
public | private
local | remote
upstream | downstream
significant | insignificant
sensitive | insensitive
fast rapid quick | slow
strong | weak
high | low
best | worst
succeeds succeeded success successful successfully | failure unsuccessful unsuccessfully
benefit benefits | risk risks
verified verify | unverified
inhibit inhibits inhibited inhibition | promote promotes promoted enhance enhances enhanced
inhibit inhibits inhibited inhibition | activate activates activated stimulate stimulates
inhibit inhibits inhibited inhibition | stimulated induce induces induced
suppress suppresses suppressed | promote promotes promoted enhance enhances enhanced
suppress suppresses suppressed | activate activates activated induce induces induced
"""
# Only one of a group can hold of a thing.
_GROUPS = """
hourly daily weekly fortnightly monthly quarterly annually annual yearly biannually biennially
once twice thrice
single double triple dual
red green yellow blue orange black white amber
second seconds|minute minutes|hour hours|day days|week weeks|month months|year years
january|february|march|april|june|july|august|september|october|november|december
monday|tuesday|wednesday|thursday|friday|saturday|sunday
north|south|east|west
oral|intravenous|subcutaneous|intramuscular|topical
"""
_NEGATIVE_PREFIX = re.compile(
    r"(?:non-?|contra(?=indicat)|un|in|im|ir|il|dis|de)(?P<rest>[a-z]{4,})"
)
# Prefixes that look like denials: "inform" does not deny "form", "until" not "til".
_REAL_IN = word_set(
    """valid complete correct sufficient active appropriate consistent effective adequate accurate
    compatible direct dependent vasive sensitive visible ability capable applicable stable secure
    tolerance operable frequent eligible equality admissible conclusive definite possible proper
    mature permeable perfect balance precise practical material mobile measurable regular
    reversible relevant responsible replaceable legal legible logical connect connected approve
    approved able abled agree agreement agreed continue continued satisfied similar qualify
    qualified assemble assembled infected activate activated attended contaminate contaminated
    compliance compliant conformity conforming"""
)
_NOT_UN = word_set(
    "under unit units until union unique unless uniform universal universe university understand"
    " understood undergo underlying undertake unified unify unite united"
)


def _pairs() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _PAIRS.strip().splitlines():
        left, right = (side.split() for side in line.split("|"))
        for here, there in ((left, right), (right, left)):
            for word in here:
                found.setdefault(word, set()).update(there)
    for line in _GROUPS.strip().splitlines():
        members = [m.split() for m in (line.split("|") if "|" in line else line.split(" "))]
        for member in members:
            others = {word for other in members if other is not member for word in other}
            for word in member:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = MappingProxyType(_pairs())
# Opposites that are used for so much else that only a sentence copied otherwise tells.
SLOT_ONLY = word_set(
    """with without on off first last left right new old existing all every none above below under
    before after following prior earlier later subsequent inside outside top bottom end ends ended
    ending start starts more less most least higher lower greater fewer larger smaller min max
    minimum maximum high low single double dual triple second seconds minute minutes hour hours day
    days week weeks month months year years quarter quarters march close closes present presence
    benefit benefits risk risks lay professional adult adults children fast strong major minor
    primary secondary once twice red green yellow blue orange black white amber true false same
    different similar identical equal equivalent fail fails failed failing pass passes add added
    adds remove removed include includes included including local remote public private north south
    east west begin begins started early late known direct directly always never internal external
    internally externally opening success complete completed acceptance approval best worst
    venous capillary raised rise positive negative critical significant presence absence absent
    highest lowest greatest largest smallest fewest beginning starting stop stops stopped precedes
    follows preceding beneath systolic diastolic inlet outlet anode cathode"""
)
# What stands behind one of these is turned round by another of its line.
_RIVAL_PREFIXES = tuple(
    re.compile(rf"(?P<prefix>{prefixes})-?(?P<rest>[a-z]{{4,}})")
    for prefixes in ("hypo|hyper", "pre|post", "intra|extra|inter")
)


def are_opposites(left: str, right: str) -> bool:
    """Whether two folded words exclude each other: open and closed, sterile and non-sterile."""
    if right in OPPOSITES.get(left, ()) or _have_rival_prefixes(left, right):
        return True
    return denied(left) == stem(right) or denied(right) == stem(left)


def _have_rival_prefixes(left: str, right: str) -> bool:
    for pattern in _RIVAL_PREFIXES:
        mine, theirs = pattern.fullmatch(left), pattern.fullmatch(right)
        if mine and theirs and mine["prefix"] != theirs["prefix"]:
            return stem(mine["rest"]) == stem(theirs["rest"])
    return False


@lru_cache(maxsize=16384)
def denied(word: str) -> str:
    """Return the stem of what ``word`` denies by its prefix ("non-sterile"); "" for none."""
    match = _NEGATIVE_PREFIX.fullmatch(word)
    if match is None or word in _NOT_UN:
        return ""
    rest = match["rest"]
    if word.startswith(("non", "contra")):
        return stem(rest)
    if word.startswith("un"):
        return stem(rest) if not word.startswith(("under", "uni")) else ""
    return stem(rest) if rest in _REAL_IN else ""
