"""Verbs that may stand for each other; what must follow is written where only some uses allow it."""

from __future__ import annotations

VERBS = """
buy = purchase; obtain = acquire; begin > start; start > begin / T VG X; finish > complete / D; complete > finish / D;
stop > halt / D; reveal = disclose; show > demonstrate / W; demonstrate > show; injure > wound; wound > injure;
destroy > ~demolish; damage > harm / D; harm > damage / D; ban > prohibit / D N J; forbid = prohibit / D N;
prohibit > ban / D N; allow > permit / D O N J E; permit > allow; need > require / D N J; require > need / D N J;
want > wish / T; use > ~employ / D J; try > attempt / T; attempt > try / T; choose > select, pick / D;
select > choose; pick > choose, select / D; give up > abandon / D; reject > turn down / D;
turn down > reject, decline / D; refuse > decline / T; confirm > ~verify / D; build > construct / D J N;
construct > build; fix = repair / D; improve > enhance / D; enhance > improve; reduce > lower, decrease / D;
decrease > reduce / D; lower > reduce / D; increase > raise / D; hire > employ, recruit / D N J E; resign > step down;
step down > resign; pass away > die; arrive at > reach / D; come back > return; return > come back / P R T X;
go back > return; look for = search for; seek > look for / D N J; find out > discover, learn / D W;
discover > find, find out / W; carry out = conduct; carry out = perform; take part in = participate in;
take place > happen, occur; happen = occur; occur > take place; set up = establish / D N J; put off = postpone;
postpone > delay; call off = cancel; call for > demand / D N J; ask for > request; request > ask for / D;
point out > note / W; think > believe / W; believe > think / W; talk about > discuss; discuss > talk about / D W;
deal with = handle / D N; get rid of > remove, eliminate; eliminate > get rid of, remove; look into = investigate;
investigate > ~probe / D; probe > investigate / D; examine > inspect / D; inspect > examine / D;
get in touch with = contact; make sure = ensure / W D O; seem > appear / T J; appear > seem / T J; plan > intend / T;
intend > plan / T; mention > refer to / D; refer to > mention; support > back / D; back > support / D E;
defeat > beat / D E; beat > defeat / D E; protect > safeguard / D; safeguard > protect; warn > caution / W P;
propose > suggest / D VG W; suggest > propose / VG; understand > grasp / D; hate > detest / D;
admit > acknowledge / W; acknowledge > admit / W; concede > admit / W; predict > forecast / D; forecast > predict / W;
expect > anticipate / D; anticipate > expect; remember > recall / D; recall > remember / D; argue > contend / W;
claim > ~assert / W; gather > collect / D; collect > gather / D N; provide > supply / D N J; supply > provide / D;
publish > release / D; unveil > reveal, present / D; hide = conceal / D; speak to = talk to; speak with = talk with;
close > ~shut / D; shut > close / D; vanish = disappear; frighten = scare; annoy = irritate; check > verify / D;
verify > check; live in > reside in; reside in > live in; own > possess / D; possess > own, have; lift > raise / D;
toss = throw / D; rush > hurry / P T; hurry > rush; weep > cry; yell = shout; prevent > stop / D O N E;
cause > lead to / D J N; lead to > cause, result in; result in > lead to, cause; influence > affect / D;
affect > influence / D; divide > split / D; split > divide / D; alter = change / D; modify > change, alter;
link > connect / D; connect > link / D; rely on = depend on; await > wait for; wait for > await / D;
praise > commend / D E; commend > praise; criticize = condemn / D E; denounce = condemn / D E;
promise > pledge, vow / T; pledge > promise, vow / T; vow > promise, pledge / T; persuade = convince / D O E;
resolve > settle, solve / D; settle > resolve / D; solve > resolve / D; assist > help / D O; aid > help / D;
commence > begin, start; conclude > end / P X; terminate > end / D; utilize > use; utilise > use;
attain > achieve, reach; achieve > accomplish, attain / D; accomplish > achieve; depart > leave / P X;
receive > get / D; evacuate > ~clear out; inform > tell / O D E; notify > inform / O D E; state > say / W;
declare > announce / W; announce > declare / W; hold > keep / O; observe > notice / W; notice > observe / W;
ponder > think about; consume > eat / D; shield > protect / D; demolish > tear down, destroy / D;
tear down > demolish; rebuild > reconstruct; swap > exchange / D; exchange > swap / D; go on > continue / P X T;
continue > go on / T; keep > continue / VG; quit > leave / D; hand over > give, deliver / D; deliver > hand over / D;
pull out of > withdraw from; withdraw from > pull out of; sign up for > register for; register for > sign up for;
back up > support / D O; bring about > cause; bring up > raise / D; cut down on > reduce; fill in = fill out / D;
go through > experience / D; let down > disappoint / O D; look after = take care of; look forward to > anticipate / D;
make up > invent / D; run out of > exhaust / D; show up > appear, turn up / P X R; turn up > show up / P X R;
speed up > accelerate; accelerate > speed up; take over > take control of / D; think about > consider / D VG;
consider > think about / VG; throw away > discard, throw out; throw out > throw away / D; discard > throw away;
turn into > become / D; jump > leap / P R; leap > jump / P R; climb > scale / D; stare at > gaze at;
gaze at > stare at; smile at > grin at; grab > seize, take hold of / D; hold > clutch / D; look at > view / D;
chase > pursue, run after / D; run after > chase / D; stroll > walk; dash > run / P; relax > rest; sip > drink / D;
glance at > look at; soar > fly / P; wander > roam / P; sprint > run / P;
crouch > squat / P; rest on > lie on; teach > instruct / D O N; instruct > teach / D O; prepare for > get ready for;
get ready for > prepare for; lose weight > slim down; earn money > make money; make money > earn money;
learn > ~master / D; overcome > get over / D; get over > overcome / D; deal with > cope with / D;
cope with > deal with; improve > boost / D; boost > increase, improve / D; get better at > improve at;
raise > increase / D; drop to > fall to; fall to > drop to; rise to > climb to; climb to > rise to;
rise by > go up by; fall by > drop by; drop by > fall by; jump to > soar to; lay off > dismiss / D;
sack > fire, dismiss / D; name > appoint / E; appoint > name / D E; head > lead / D; file for > apply for;
back out of > withdraw from; slam > criticize / D E; urge > call on / D E O; call on > urge / D E;
blast > criticize / D E; opt for > choose; choose > opt for / D; disagree with > object to / D; break up > split up;
split up > break up; get married > marry / X P; pay for > cover the cost of / D;
hurt > injure / O D; sort out > resolve / D; clear up > resolve / D; work out > solve / D; keep away from > avoid;
stay away from > avoid; avoid > stay away from, keep away from / D; donate > give / D; contribute > give / D;
grant > give / O; offer > provide / D; explode > blow up / P X; blow up > explode / P X; crash into > smash into;
smash into > crash into; expand > grow / X P; enlarge > expand / D; reflect > mirror / D; resemble > look like;
look like > resemble / D; originate from > come from; come from > originate from / D
"""
