"""Nouns that may stand for each other."""

from __future__ import annotations

NOUNS = """
film = movie; car > ~automobile; automobile > car; doctor = physician; lawyer = attorney; kid = child; company > firm;
firm > company; corporation > company; error = mistake; goal > aim, objective; objective > goal, aim; aim > goal;
problem > issue; answer > response, reply; response > reply, answer; reply > answer, response; nation = country;
author > writer; writer > author; exam > test; photo = picture; photo = photograph; illness > sickness;
disease > illness; sickness > illness; beginning > start; assistance > help, aid; aid > assistance; bike = bicycle;
plane = airplane; plane > aircraft; aeroplane > plane; airplane > aircraft; phone > telephone; telephone > phone;
mom > mother; mum > mother; dad > father; gift > present; present > gift / P X; rubbish > garbage, trash;
trash = garbage; store > shop; shop > store; vacation = holiday; apartment > flat; journey = trip; choice > option;
option > choice; outcome > result; result > outcome / P; consequence > result; method > approach, technique;
technique > method; approach > method; region = area; location > place, spot; opportunity = chance / T; danger > risk;
risk > danger; battle = fight; dispute > disagreement, argument; agreement = deal; regulation > rule;
rule > regulation; worker = employee; purchaser > buyer; customer = client; fire > blaze; blaze > fire;
murder > killing; prison = jail; evidence > proof; proof > evidence; scientist = researcher; teacher > instructor;
instructor > teacher; pupil = student; speech > address; conversation > discussion, talk; discussion > conversation;
idea > notion, concept; notion > idea; concept > idea; opinion > view; viewpoint > opinion, view; emotion > feeling;
feeling > emotion; rage > anger; joy = happiness; sorrow = sadness; rise > increase / P;
increase > rise / P; decline > decrease, drop / P; decrease > decline, reduction / P; reduction > decrease, cut / P;
price > cost; fee > charge; quantity = amount; variety > range; kind = type / P; sort = kind / P; sort = type / P;
portion = part / P; team > squad / X P A VD VS; squad > team; victory = win; triumph > victory; contest > competition;
competition > contest / X; prize = award; firearm = gun; explosion = blast; ship = vessel; foe = enemy;
spokesman > spokesperson; spokeswoman > spokesperson; lawmaker = legislator; poll = survey; tale = story; tune = song;
sofa = couch; stone = rock; sea = ocean; infant = baby; teenager = teen; teenager > adolescent; guy > man;
rival > opponent, competitor; opponent > rival; medicine = medication; injury = wound; effect = impact;
advantage = benefit; drawback = disadvantage; duty = obligation; freedom = liberty; pace = speed; middle > center;
center > middle; centre > middle; shop owner = shopkeeper; police officer > ~policeman; cop > police officer;
salary > pay; house > home / P X; residence > home; dwelling > home; task > job;
job > position / P; position > job / P; salesperson > seller; street > road; road > street; path > route;
route > path; trouble > difficulty; difficulty > problem, trouble; obstacle > hurdle, barrier; barrier > obstacle;
hurdle > obstacle; requirement > need; wish > desire; desire > wish; hazard > danger; fault > defect; defect > flaw;
flaw > defect; characteristic > feature, trait; feature > characteristic; trait > characteristic; habit > custom;
custom > tradition; target > goal; strategy > plan; plan > strategy; scheme > plan; proposal > suggestion;
suggestion > proposal; assumption > supposition; quarrel > argument; conflict > clash; clash > conflict;
gathering > meeting; visitor > guest; inhabitant > resident; resident > inhabitant; specialist > expert;
expert > specialist; leader > head / P; head > leader / P; article > piece; novel > book; document > paper;
garment > piece of clothing; supper > dinner; beverage > drink; drink > beverage; timber > wood; forest > woods;
soil > ground; shore > coast; coast > shore; rainfall > rain; downpour > heavy rain; tremor > quake;
earthquake = quake; person > individual; individual > person; pavement > sidewalk; sidewalk > pavement;
trousers > pants; toddler > small child; lady > woman; gentleman > man; dirt road > unpaved road; peak > summit;
summit > top / P; crowd > throng; lawn > grass; skateboarder > skater; cyclist > bike rider; biker > motorcyclist;
motorbike = motorcycle; stairs > steps; swimming pool > pool; smartphone > phone; website = site; app > application;
application > app; investor > backer; backer > supporter; supporter > backer; shareholder = stockholder;
revenue > income; chief executive > CEO; probe > investigation; inquiry = investigation; lawsuit = suit / P;
verdict > ruling; ruling > decision; decision > ruling / P; accusation = allegation; assault > attack;
attack > assault / P X; gunman > shooter; shooter > gunman; bomber > attacker; casualty > victim; fatality > death;
celebrity > star; star > celebrity / X; fan > admirer; track > song; footage > video; clip > video;
episode > instalment; trailer > preview; debut > first appearance; rumor > gossip; hint > clue; advice > guidance;
guidance > advice; skill > ability / P; ability > skill / P; knowledge > understanding / P; habit > routine;
profession > occupation; occupation > job; salary > wage; pay rise > raise; way > method / T;
side effect > unwanted effect; symptom > sign / P; remedy > cure; cure > remedy
"""
