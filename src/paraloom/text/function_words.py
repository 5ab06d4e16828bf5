"""A language in, its function words out: pronouns, articles, prepositions, conjunctions, auxiliaries, particles.

Closed classes, written down by us: dictionary forms, and those inflected forms that a lemmatiser may leave as they are.
Words of negation ("not", "without") are in none of the lists. By their class they belong there, but a text with "not"
and one that lacks it would then have the same words of content.
"""

from __future__ import annotations

_LISTED = {
    "da": """
        jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes den det dens dets vi os vores i jer
        jeres de dem deres sig sin sit sine man en et denne dette disse der som hvem hvad hvilken hvilket hvilke
        noget nogle nogen selv hinanden og eller men for at om da når hvis fordi mens end så på af til fra med ved
        under over efter før mod mellem hos ad gennem være er var været have har havde haft blive bliver blev blevet
        skulle skal ville vil kunne kan måtte må jo også bare kun
    """,
    "de": """
        ich mich mir mein du dich dir dein er ihn ihm sein sie ihr es wir uns unser euch euer ihnen sich man der die
        das den dem des ein eine einen einem einer eines dieser diese dieses jener jene jenes welcher welche welches
        wer wen wem was jemand etwas selbst einander jeder jede jedes alle einige und oder aber denn dass ob wenn
        weil als wie obwohl während bis damit in im ins an am ans auf aus bei beim mit nach von vom zu zum zur für
        durch um über unter vor hinter neben zwischen gegen seit wegen ist bin bist sind seid war waren wäre gewesen
        haben habe hast hat hatte hätte werden wird würde worden können kann konnte könnte müssen muss musste sollen
        soll sollte wollen will wollte dürfen darf mögen mag möchte auch doch ja mal halt eben
    """,
    "en": """
        i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our
        ours ourselves they them their theirs themselves a an the this that these those who whom whose which what
        whatever someone somebody something anyone anybody anything everyone everybody everything some any each
        every all both and or but so yet if because although though while when whereas until since than as whether
        of in on at by to for from with about into onto upon over under between among through during before after
        against toward towards within across along around behind beside near be am is are was were been being have
        has had having do does did doing done will would shall should can could may might must ought too also just
        i'm you're he's she's it's we're they're i've you've we've they've i'll you'll he'll she'll it'll we'll
        they'll i'd you'd he'd she'd we'd they'd that's there's what's who's let's
    """,
    "es": """
        yo me mí mi mis mío mía tú te ti tu tus tuyo él lo le la ella ello los las les ellos ellas se si su sus suyo
        usted ustedes nosotros nosotras nos nuestro nuestra vosotros os vuestro vuestra uno una unos unas un el al
        del este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos que quien quienes cual
        cuales cuyo qué quién cuál alguien algo alguno algún cada todo toda todos todas mismo y e o u pero aunque
        porque pues como cuando mientras donde a ante bajo con conmigo contigo consigo contra de desde durante en
        entre hacia hasta para por según sobre tras ser es era fue sido son estar está estaba estado están haber ha
        han había he hay poder puede podía deber debe también
    """,
    "fi": """
        minä sinä hän me te he minun sinun hänen meidän teidän heidän mä sä se ne tämä tuo nämä nuo itse joka mikä
        kuka kumpi jokin joku jompikumpi jokainen kukin kumpikin kaikki molemmat eräs ja tai vai sekä eli mutta vaan
        kun koska jos vaikka että jotta kuin joten sillä kunnes kanssa jälkeen ennen mukaan takia vuoksi luona
        luokse luota aikana asti saakka kohti päin varten lisäksi sijaan sijasta kautta läpi ympäri ali yli alla
        alle alta päällä päälle päältä takana taakse takaa edessä eteen edestä vieressä viereen välissä väliin
        välillä keskellä keskelle sisällä sisään sisältä luo olla voida täytyä lienee oon oot olis myös vain niin
        siis no kai siinä siitä siihen tässä tästä tähän tuossa
    """,
    "fr": """
        je j' me m' moi mon ma mes mien tu te t' toi ton ta tes il elle on lui le la l' les se s' soi son sa ses
        nous notre nos vous votre vos ils elles eux leur leurs y en un une des du de d' ce c' cet cette ces cela ça
        ceci celui celle ceux celles qui que qu' quoi dont où lequel laquelle lesquels quel quelle quels quelles
        quelque chaque tout toute tous toutes même quelqu'un et ou mais donc or car si comme quand lorsque puisque
        parce à au aux dans par pour avec sous sur vers chez contre entre depuis pendant avant après jusque jusqu'
        être est suis es sommes êtes sont était étaient été sera serait avoir ai as a avons avez ont avait avaient
        eu aura aurait pouvoir peut devoir doit aussi
    """,
    "it": """
        io mi me mio mia miei mie tu ti te tuo tua tuoi tue lui lei lo la gli le egli ella esso essa si sé suo sua
        suoi sue noi ci nostro nostra voi vi vostro vostra loro il i l' un uno una un' questo questa questi queste
        quello quella quelli quelle quel che chi cui quale quali cosa qualcuno qualcosa ogni ognuno tutto tutta
        tutti tutte stesso ne e ed o ma però perché se come quando mentre anche di a da in con su per tra fra del
        dello della dei degli delle al allo alla ai agli alle dal dalla nel nella nei nelle sul sulla essere è sono
        era erano stato stata avere ho hai ha hanno aveva stare sta potere può dovere deve
    """,
    "nb": """
        jeg meg min mitt mine du deg din ditt dine han ham hans hun henne hennes den det dens vi oss vår vårt våre
        dere deres de dem seg sin sitt sine man en ei et denne dette disse som hvem hva hvilken hvilket hvilke noe
        noen selv hverandre og eller men for at om da når hvis fordi mens enn så i på av til fra med ved under over
        etter før mot mellom hos gjennom være er var vært ha har hadde hatt bli blir ble blitt skulle skal ville vil
        kunne kan måtte må jo også bare
    """,
    "nl": """
        ik me mij mijn jij je jou jouw hij hem zijn zij ze haar het 't wij we ons onze jullie u uw hun hen zich men
        de een deze dit die dat wie wat welk welke iemand iets zelf elkaar elk elke ieder alle en of maar want dus
        als dan omdat terwijl hoewel toen tot zodat in op aan bij met van voor door om over onder na naar uit tegen
        tussen tijdens sinds te ben bent is was waren geweest hebben heb hebt heeft had hadden worden wordt werd
        geworden zullen zal zou kunnen kan kon moeten moet moest mogen mag willen wil er ook wel
    """,
    "pt": """
        eu me mim meu minha meus minhas tu te ti teu tua você vocês ele ela o a os as lhe lhes se si seu sua seus
        suas nós nos nosso nossa vós vos vosso eles elas um uma uns umas este esta isto estes estas esse essa isso
        esses essas aquele aquela aquilo aqueles aquelas que quem qual quais cujo alguém algo algum alguma cada todo
        toda todos todas mesmo e ou mas porém porque pois como quando enquanto embora de do da dos das em no na nas
        por pelo pela para com sob sobre entre até desde contra ao à aos às ser é era foi sido são estar está estava
        estão ter tem tinha haver há poder pode dever deve também
    """,
    "sv": """
        jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes hen den det dess vi oss vår vårt
        våra ni er ert era de dem dom deras sig sin sitt sina man en ett denna denne detta dessa som vem vad vilken
        vilket vilka någon något några själv varandra varje och eller men för att om då när eftersom medan än så i
        på av till från med vid under över efter före mot mellan hos åt genom vara är var varit ha har hade haft bli
        blir blev blivit skola ska skall skulle kunna kan kunde måste vilja vill ville få får fick ju också bara väl
        nog
    """,
}

_LISTS = {language: frozenset(words.split()) for language, words in _LISTED.items()}

LANGUAGES = tuple(sorted(_LISTS))
"""Two-letter codes of the languages there is a list for."""


def function_words(language: str) -> frozenset[str]:
    """The function words of a language, lower case; none where there is no list.

    >>> "the" in function_words("en"), "ja" in function_words("fi"), "not" in function_words("en")
    (True, True, False)
    >>> function_words("xx")
    frozenset()
    """
    return _LISTS.get(language, frozenset())
