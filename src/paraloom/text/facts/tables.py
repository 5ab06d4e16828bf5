"""Nothing in; out come the few words that must be known by heart: which are no names, and which names are the same.

English, written down by us. Every word is folded: lower case, no accents, no stops.
"""

from __future__ import annotations


def words_of(listed: str) -> frozenset[str]:
    """The words of a list that is written with spaces between them."""
    return frozenset(listed.split())


MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
    "october": 10, "november": 11, "december": 12,
}  # fmt: skip
WEEKDAYS = words_of("monday tuesday wednesday thursday friday saturday sunday")
SHORT_DATES = {
    "jan": "january", "feb": "february", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sept": "september", "sep": "september", "oct": "october", "nov": "november", "dec": "december", "mon": "monday",
    "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "weds": "wednesday", "thu": "thursday", "thur": "thursday",
    "thurs": "thursday", "fri": "friday",
}  # fmt: skip
"""Short forms of months and weekdays; "mar", "sat" and "sun" are left out, for they are words."""

STANDING_ALONE = words_of("america britain")
"""Roots that are a name of their own before another: the "U.S." of "U.S. Chicago" and of "US Basketball"."""

ONLY_BESIDE_FIGURES = words_of("may march")
"""Months that are everyday words: where a capital says nothing, only a figure beside them makes them months."""

NEVER_FROM_LOWER_CASE = words_of("us it who may")
"""Pronouns and a verb: in a text with capitals, these in lower case are not the country, the trade, the body, the
month."""

TITLES = words_of(
    """
    adm mr mrs ms mx dr drs prof professor sir dame lord lady madam miss president presidents pres vp senator sen sens
    representative rep reps congressman congresswoman congressperson governor gov mayor minister premier chancellor
    secretary chairman chairwoman chair king queen prince princess duke duchess emperor pope archbishop bishop cardinal
    reverend rev father sister brother imam rabbi saint judge justice attorney sheriff officer detective general gen
    colonel col captain capt lieutenant lt major maj sergeant sgt admiral commander coach manager director chief doctor
    ambassador speaker leader potus flotus founder owner host actor actress singer rapper star jr sr esq hon inc ltd
    llc corp co plc jnr snr mom mum dad mommy daddy grandma grandpa auntie aunt uncle administration department dept
    state county city government party team group company committee board agency office campaign commission council
    foundation week day year month morning night police technology technologies representatives
    """
)
"""Words before or behind a name that add nothing to it ("President", "Mr", "Administration"); none is a name alone."""

NO_NAMES = words_of(
    """
    td tds hrs womens mens motm naw one two first second third million billion hundred thousand nye ppl smth hey ayo yo
    oh ah uh hi hello ayy ew ooo aye feds bday loml lol lmao lmfao rofl omg omfg wtf wth smh tbh imo imho ngl idk idc
    iirc fyi btw afaik irl tfw icymi til rip ty yw np pls plz thx ily ikr jk af fr tf asap brb dm dms rt mt ht nsfw
    tldr faq diy vip ok okay xoxo gonna wanna gotta imma ima finna lemme gimme kinda sorta dunno yall ya yea yeah yep
    yup nope nah bruh bro sis fam bae haha hahaha lmaoo ugh meh yay woohoo wow whoa ooh oooh aww dang damn wooo woo hmm
    umm uhh sheesh yikes oops welp congrats hbd tv dvd cd pc id ids ceo ceos cfo cto coo cmo cio hr pr am pm est edt
    pst pdt gmt utc et pt ct bst ist cet ft vs aka etc eg ie op ed info app apps wifi ad ads govt gov dept intl natl
    tech vid pic pics exec execs prez breaking update updated exclusive opinion video photo photos thread via god rb qb
    oc lb wr ot mvp gpu cpu dna pac i im ive ill dont cant wont didnt doesnt isnt arent wasnt werent couldnt wouldnt
    shouldnt aint thats whats heres theres youre theyre hes shes lets whos internet web covidiot mask masks vaccine
    vaccines pandemic startup startups selfie lockdown livestream q a b c d e f g h j k l m n o p r s t u v w x y z no
    not never yes why how where here there then now more most many much such only ever even rather dammit lowkey
    highkey peace ai gif gifs eco gb mb tb kb cr rs ex bc rn cyber ecommerce fintech crypto blockchain paywall
    explainer standout matchup playoff playoffs reinfection
    """
)
"""Slang, calls for attention and everyday short forms; with capitals or without, they name nobody."""

NAMES_ALSO_WORDS = words_of(
    """
    coronavirus trump china google twitter amazon tesla zoom musk mike bobby jones jack martin bob jake matt tony
    steven brian lee morgan kane frank mars london barry jordan terry nick sam jimmy sean carl miller lisa jersey tommy
    spencer ruth blake colin nelson walter alexander chad julia ted marc rick ed ross maria anna kent murphy jill henry
    walker michigan japan oxford yang wales costa dickens sox solomon chile reagan khan berlin wellington malik willie
    batman christ java sussex chapman yahoo shanghai guinea jewish african european asian indian russian chinese
    australian british german dutch sikh japanese iranian english muslim irish scottish argentine american tory korean
    italian nigerian israeli brazilian ukrainian swiss celtic nazi portuguese latin spanish hispanic indonesian welsh
    mexican venezuelan norwegian arabian finnish atlantic holocaust greek arab somali palestinian afghan french
    canadian republican republicans democrat democrats tories labour senate thanksgiving easter hanukkah christian
    christians islam arctic antarctic twitch tiktok uber lyft snap panama havana cuba egypt lima boston hong saudi
    buddhist hindu america americans europeans russians germans muslims jews africans asians indians australians
    """
)
"""Words that a dictionary also has in lower case but that, at the head of a sentence, are nearly always names."""

NO_NAMES_ALONE = words_of(
    """
    prime crown interim acting deputy assistant rapid truth dictator hero legend kid baby winner champion champions
    mind merry series test new election elections news street big man men woman women national vice boy girl happy
    birthday holiday holidays presidential home reading store shop game games hospital court bank fall spring summer
    winter mobile story stories final finals person people head super education source business word words labor top
    club world time times school page front music link security list watch match give red blue green black white brown
    orange gold silver act appeals defense football rugby soccer basketball baseball cricket tennis golf love life
    dream book film movie show song album live read listen report study high low old young great good bad best worst
    first last next north south east west central incredible amazing jail prison church university college market stock
    trial case law right rights free health care climate change science research data machine learning artificial
    intelligence digital social media online future power energy car food water air land sea star stars king kings
    leaders practitioners wish
    """
)
"""Everyday words that people like to capitalise: a part of a name, but none by themselves."""

NO_NAMES_IN_LOWER_CASE = words_of(
    "stan ann al san les las grande continental roman yule hans og surat penn levis dixie fez"
)
"""Names that the dictionary has with a capital alone, but that mean something else without one."""

GIVEN_NAMES_ALSO_WORDS = words_of(
    """
    bill will mark may grace hope faith rose lily daisy olive ivy ruby amber jade pearl crystal dawn summer autumn
    april june august angel art chase chip chuck clay cliff dale dean dick don drew duke earl gene glen grant guy
    hunter jack jay jimmy joy kit lance mason max melody miles nick norm pat peg penny pierce ray rich rob robin rod
    rusty sandy skip stone sue tanner trip victor wade ward warren woody young
    """
)
"""Everyday words that, first in a sentence and before a name, are a part of it: "Bill Taylor leaves"."""

WORDS_ALSO_ACRONYMS = words_of("us who un eu uk it nato aids ice fed doj cop gop sec mit")
"""Where others are not shouted as well, capitals make these a name."""

SAME: dict[str, str] = {
    form: group[0]
    for group in (
        line.split()
        for line in """
        america us usa unitedstates unitedstatesofamerica american stateside
        britain uk unitedkingdom greatbritain british brit
        uae unitedarabemirates emirates
        covid covid19 coronavirus corona sarscov2 sarscov ncov 2019ncov rona cv19
        gop republican
        democrat democratic dem dnc
        scotus supremecourt
        potus president presidential
        whitehouse wh
        bitcoin btc
        ethereum eth ether
        facebook fb
        instagram insta ig
        youtube yt
        newyork ny nyc newyorkcity newyorker
        nytimes nyt newyorktimes
        washingtonpost wapo
        gray grey
        obamacare aca affordablecareact
        maga makeamericagreatagain
        washington dc washingtondc wa
        losangeles la
        sanfrancisco sf
        philadelphia philly
        california cali calif ca californian
        lasvegas vegas
        quebec quebecois
        france french frenchman frenchmen
        spain spanish spaniard
        netherland dutch holland
        ireland irish
        scotland scottish scot
        wale welsh
        england english
        greece greek
        poland polish
        turkey turkish turk
        sweden swedish swede
        denmark danish dane
        finland finnish finn
        norway norwegian
        switzerland swis swiss
        thailand thai
        philippine filipino filipina
        palestine palestinian
        ukraine ukrainian
        europe european eu europeanunion
        chile chilean
        portugal portuguese
        iceland icelandic
        cypru cyprus cypriot
        argentina argentine argentinian
        peru peruvian
        afghanistan afghan
        newzealand nz kiwi
        saudiarabia saudi
        southafrica southafrican
        congo congolese
        kazakhstan kazakh
        christma christmas xma xmas
        mcdonald mcd
        manchesterunited manutd manunited mufc
        manchestercity mancity mcfc
        unitednation un unitednations
        worldhealthorganization worldhealthorganisation
        departmentofjustice justicedepartment justicedept doj
        television tv
        jew jewish
        russia russian
        mexico mexican
        italy italian
        germany german
        brazil brazilian
        israel israeli
        iraq iraqi
        iran iranian
        pakistan pakistani
        yemen yemeni
        kenya kenyan
        korea korean
        syria syrian
        libya libyan
        africa african
        australia australian aussie oz
        austria austrian
        india indian
        indonesia indonesian
        malaysia malaysian
        colombia colombian
        venezuela venezuelan
        egypt egyptian
        hungary hungarian
        bulgaria bulgarian
        romania romanian
        serbia serbian serb
        croatia croatian
        albania albanian
        armenia armenian
        azerbaijan azerbaijani
        ethiopia ethiopian
        somalia somali
        tunisia tunisian
        algeria algerian
        morocco moroccan
        jordan jordanian
        lebanon lebanese
        taiwan taiwanese
        vietnam vietnamese
        china chinese
        japan japanese
        nepal nepali nepalese
        bangladesh bangladeshi
        cambodia cambodian
        mongolia mongolian
        zambia zambian
        nigeria nigerian
        niger nigerien
        ghana ghanaian
        uganda ugandan
        rwanda rwandan
        sudan sudanese
        belgium belgian
        estonia estonian
        latvia latvian
        lithuania lithuanian
        belarus belarusian belaru
        czech czechia
        slovakia slovak
        slovenia slovenian
        bosnia bosnian
        hawaii hawaiian
        alaska alaskan
        haiti haitian
        jamaica jamaican
        ecuador ecuadorian
        bolivia bolivian
        qatar qatari
        kuwait kuwaiti
        oman omani
        tibet tibetan
        catalonia catalan
        sicily sicilian
        venice venetian
        paris parisian pari
        london londoner
        kurdistan kurd kurdish
        arab arabia arabian arabic
        touchdown td
        georgia ga georgian
        florida fla fl
        texas tx texan
        virginia va
        pennsylvania pa
        arizona az
        michigan mich
        wisconsin wisc wi
        minnesota minn mn
        tennessee tenn tn
        kentucky ky
        newjersey nj
        northcarolina nc
        southcarolina sc
        illinois il
        maryland md
        connecticut conn ct
        nevada nv
        canada canadian
        cuba cuban
        asia asian
        michael mike mikey
        robert bob bobby
        james jim jimmy
        david dave davey
        steven stephen steve
        anthony tony
        edward ted eddie
        elizabeth liz beth
        richard dick rick
        william bill billy
        charle charles chuck charlie
        joseph joe joey
        katherine kate katie kathy catherine
        """.strip().splitlines()
    )
    for form in group
}
"""Names that say the same; the first of each line stands for all. Roots, as `lexicon.root_of` makes them."""

LONGEST_SAME = 4
"""Words that a name in `SAME` is made of, at the most."""

SMALL_WORDS = words_of("of the and for in on a an to at by de la le von van der den al el da di del du")
"""Left out of acronyms, and kept small in titles."""

SMALL_IN_TITLES = SMALL_WORDS | words_of("with from as or but nor into over vs via per up off than if s")
"""Left in lower case where other words have capitals."""
