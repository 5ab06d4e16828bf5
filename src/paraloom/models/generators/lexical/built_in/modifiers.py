"""Adjectives and adverbs that may stand for each other."""

from __future__ import annotations

ADJECTIVES = """
big = large; huge = enormous; huge = massive; tiny > very small; quick > fast; rapid > fast, quick; happy > glad / T W;
glad > happy; pleased > happy, glad / T W; sad > unhappy; angry > ~furious; furious > very angry; smart = clever;
smart = intelligent; stupid > foolish; foolish > silly; important > significant; crucial > vital, critical;
vital > crucial, essential; essential > vital; significant > considerable, important / N; considerable > significant;
difficult > hard, tough; hard > difficult / T; tough > difficult, hard; easy > simple / T; beautiful > lovely, gorgeous;
lovely > beautiful; gorgeous > beautiful; famous = well-known; rich = wealthy; strange > odd, weird; odd > strange;
weird > strange; scary > frightening; afraid > scared, frightened; scared > afraid, frightened / P T;
frightened > scared; exhausted > worn out / X P; ill = sick / X P; dangerous = hazardous; dangerous > risky;
risky > dangerous; secure > safe; correct > right / N; wrong = incorrect / N; entire = whole / N; main > primary, chief;
primary > main; principal > main; chief > main / N; minor > small / N; severe > serious; serious > severe / N;
terrible = awful; horrible > terrible; dreadful > terrible; excellent > great, outstanding; outstanding > excellent;
amazing = incredible; astonishing > amazing; wonderful > fantastic, marvelous; fantastic > wonderful, great;
nice = pleasant; funny > amusing; amusing > funny; boring > dull; dull > boring; tedious > boring; brave = courageous;
calm > peaceful; loud = noisy; expensive > costly, pricey; costly > expensive; cheap = inexpensive; rare > uncommon;
usual > normal; sufficient > enough / N; additional > extra, further; extra > additional / N; numerous > many;
certain > sure / W; sure > certain / W; clear > obvious, evident / W; obvious > clear, evident; evident > obvious;
accurate > precise; precise > exact, accurate; exact > precise; annual = yearly / N; current > present / N;
previous > earlier, prior / N; prior > previous / N; former > ~previous / N; modern > contemporary; final > last / N;
latest = newest; latest > most recent; upcoming = forthcoming; global = worldwide / N; powerful = strong / N;
healthy > fit; delicious = tasty; damp > wet; chilly > cold; cold > chilly; filthy > dirty; dirty > filthy;
crazy > mad, insane; insane > crazy; lucky = fortunate; eager = keen / T; ready = prepared / T; honest > truthful;
rude > impolite; polite > courteous; cruel > brutal; brutal > cruel; illegal = unlawful; legal > lawful;
harmful > damaging; useful = helpful; necessary > needed, required; needed > necessary; renowned > famous;
gigantic > huge; immense > huge, enormous; vast > huge; minuscule > tiny; broad > wide; wide > broad;
peculiar > strange, odd; ordinary > normal, usual; typical > usual; initial > first; entire > complete / N;
sole > only / N; identical > the same / X; silent > quiet; quiet > silent; thrilled > delighted, excited;
delighted > thrilled, very happy; upset > unhappy, distressed; furious > enraged; fearful > afraid; anxious > worried;
worried > anxious, concerned; concerned > worried; stunned > shocked; shocked > stunned; surprised > astonished;
astonished > surprised, amazed; surprising > unexpected; unexpected > surprising; hard-working > diligent;
diligent > hard-working; faithful > loyal; loyal > faithful; wealthy > affluent; fake > false; bogus > fake;
genuine > real, authentic; authentic > genuine; frequent > common; widespread > common; well-liked > popular;
ancient > very old; fatal > deadly; deadly > fatal, lethal; lethal > deadly; violent > brutal; huge > giant;
stylish > fashionable; fashionable > stylish; sleepy > drowsy; starving > very hungry; freezing > very cold;
boiling > very hot; major > important / N; overseas > foreign / N; foreign > overseas / N; urgent > pressing;
talented > gifted; gifted > talented; skilled > experienced; reasonable > sensible; sensible > reasonable;
suitable > appropriate; appropriate > suitable; adequate > sufficient; tired > weary, exhausted; weary > tired
"""

ADVERBS = """
quickly = rapidly; swiftly > quickly; often = frequently; rarely = seldom; sometimes > at times, occasionally;
occasionally > sometimes, from time to time; usually > normally, generally; normally > usually; generally > usually;
immediately > at once, right away; right away > immediately; suddenly > all of a sudden; all of a sudden > suddenly;
finally > at last, eventually; eventually > in the end, finally; currently > now, at present;
lately > recently; previously > earlier, formerly; soon > shortly, before long; shortly > soon; nearly = almost;
about > around, roughly, approximately / 0 E; approximately > about, roughly, around; around > about, roughly / 0;
roughly > about, approximately / 0; completely > totally, entirely; totally > completely; entirely > completely, wholly;
extremely > very, highly / J R; very > extremely, really / J R; really > truly, very / J; incredibly > extremely / J;
quite > rather, fairly / J; fairly > quite, reasonably / J; especially = particularly; mainly > mostly, primarily;
mostly > mainly, largely; largely > mostly, mainly; primarily > mainly; additionally > moreover, in addition;
moreover > furthermore, in addition; furthermore > moreover; in addition > moreover / X; however > nevertheless / X;
nevertheless > however, still; therefore > thus, as a result; thus > therefore; consequently > as a result, therefore;
as a result > consequently, therefore / X D O; hence > therefore; perhaps = maybe; probably > most likely;
most likely > probably; certainly = definitely; surely > certainly; obviously = clearly; apparently > seemingly;
unfortunately > sadly, regrettably; sadly > unfortunately / X D O; luckily = fortunately; thankfully > fortunately;
actually > in fact; in fact > actually, indeed / X D O; exactly > precisely; simply > just / VB VD VS;
overseas = abroad / X P; at first = initially; at last > finally; in the end > eventually, finally / X D O;
over and over > again and again; again and again > over and over; once again > once more, again; once more > once again;
again > once more / X; at the moment > right now, currently; right now > at the moment, currently;
at present > currently, now; these days = nowadays; worldwide > around the world / X;
around the world > across the globe, worldwide; all over the world > around the world, worldwide;
across the country = nationwide / X P; for example = for instance; from time to time > now and then, occasionally;
now and then > from time to time; gradually > little by little; little by little > gradually; greatly > considerably;
considerably > significantly, greatly; significantly > considerably, substantially; substantially > considerably;
slightly > a little / J VN; badly > seriously / VN; seriously > badly / VN; purposely > on purpose, deliberately;
deliberately > on purpose, intentionally; on purpose > deliberately; accidentally > by accident, by mistake;
by accident > accidentally; secretly > in secret; easily > with ease / X; silently > quietly; quietly > silently;
carefully > with care / X; everywhere > all over the place / X; nearby > close by / X; long ago > a long time ago;
constantly > continually, all the time / X; continually > constantly; permanently > for good / X; afterwards > later;
afterward > later; simultaneously > at the same time; at the same time > simultaneously / X; likewise > similarly;
similarly > likewise; to begin with > first of all; above all > most of all
"""
