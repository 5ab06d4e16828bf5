"""A word in, the families of irregular English forms it belongs to out.

Dictionaries for lemmatising keep one lemma a form, and often not the one meant: "left" is an adjective there, "won" a
currency, "shot" a noun. Here a form may belong to several families.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from paraloom.metrics.diversity.grammar.regular_forms import with_ending, with_s

VERBS = """
arise arose arisen
awake awoke awoken
bear bore borne born
beat beat beaten
become became
begin began begun
bend bent
bet bet betted
bid bid bade bidden
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
broadcast broadcasted
build built
burn burnt burned
burst bursted
buy bought
cast casted
catch caught
choose chose chosen
cling clung
come came
cost costed
creep crept
cut cutting
deal dealt
dig dug
dive dove dived
do did done
draw drew drawn
dream dreamt dreamed
drink drank drunk
drive drove driven
dwell dwelt
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fling flung
fly flew flown
forbid forbade forbidden
forecast forecasted
foresee foresaw foreseen
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grind ground
grow grew grown
hang hung hanged
have had has
hear heard
hide hid hidden
hit hitting
hold held
hurt hurting
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant leaned
leap leapt leaped
learn learnt learned
leave left
lend lent
let letting
lie lay lain lying
light lit lighted
lose lost
make made
mean meant
meet met
mislead misled
mistake mistook mistaken
misunderstand misunderstood
mow mowed mown
overcome overcame
overtake overtook overtaken
overthrow overthrew overthrown
pay paid
plead pled pleaded
prove proved proven
put putting
quit quitting
read reading
rebuild rebuilt
rewrite rewrote rewritten
rid ridding
ride rode ridden
ring rang rung
rise rose risen
run ran
saw sawed sawn
say said
see saw seen
seek sought
sell sold
send sent
set setting
sew sewed sewn
shake shook shaken
shed shedding
shine shone shined
shoot shot
show showed shown
shrink shrank shrunk
shut shutting
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt smelled
sneak snuck sneaked
sow sowed sown
speak spoke spoken
speed sped speeded
spell spelt spelled
spend spent
spill spilt spilled
spin spun
spit spat
split splitting
spoil spoilt spoiled
spread spreading
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
stink stank stunk
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swell swelled swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
thrust thrusting
tread trod trodden
undergo underwent undergone
understand understood
undertake undertook undertaken
undo undid undone
uphold upheld
upset upsetting
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
withhold withheld
withstand withstood
write wrote written
"""
"""A verb a line: its base first, then the forms that no rule of spelling gives."""

NOUNS = """
man men
woman women
child children
foot feet
tooth teeth
goose geese
mouse mice
ox oxen
person people persons
life lives
wife wives
knife knives
leaf leaves
loaf loaves
half halves
self selves
shelf shelves
thief thieves
wolf wolves
calf calves
scarf scarves
elf elves
crisis crises
analysis analyses
basis bases
thesis theses
hypothesis hypotheses
diagnosis diagnoses
oasis oases
criterion criteria
phenomenon phenomena
bacterium bacteria
curriculum curricula
fungus fungi
cactus cacti
stimulus stimuli
alumnus alumni
die dice
penny pence pennies
policeman policemen
policewoman policewomen
fireman firemen
businessman businessmen
businesswoman businesswomen
congressman congressmen
congresswoman congresswomen
spokesman spokesmen
spokeswoman spokeswomen
gentleman gentlemen
fisherman fishermen
gunman gunmen
grandchild grandchildren
"""
"""A noun a line: its singular first, then the plurals that no rule of spelling gives."""


@cache
def verb_families() -> dict[str, frozenset[str]]:
    """For each form of an irregular verb, the bases it may belong to.

    >>> sorted(verb_families()["lay"]), sorted(verb_families()["winning"])
    (['lay', 'lie'], ['win'])
    """
    families = _families(VERBS)
    for base in {base for bases in families.values() for base in bases}:
        for form in (*with_s(base), *with_ending(base, "ing")):
            families[form] = families.get(form, frozenset()) | {base}
    return families


@cache
def noun_families() -> dict[str, frozenset[str]]:
    """For each irregular form of a noun, the singulars it may belong to.

    >>> sorted(noun_families()["people"])
    ['person']
    """
    return _families(NOUNS)


@cache
def participles() -> frozenset[str]:
    """Irregular forms that can follow "have": all but the bases that have another form for it.

    >>> "won" in participles(), "gone" in participles(), "win" in participles()
    (True, True, False)
    """
    lines = [line.split() for line in VERBS.split("\n") if line]
    unchanged = {base for base, *forms in lines if all(form.endswith(("ing", "ed")) for form in forms)}
    return frozenset({form for _, *forms in lines for form in forms} | unchanged | {"become", "come", "run", "beat"})


def _families(table: str) -> dict[str, frozenset[str]]:
    families: defaultdict[str, set[str]] = defaultdict(set)
    for line in table.split("\n"):
        base, *_ = forms = line.split() or [""]
        for form in forms:
            families[form].add(base)
    del families[""]
    return {form: frozenset(bases) for form, bases in families.items()}
