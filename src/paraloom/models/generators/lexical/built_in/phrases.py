"""Phrases of function words that may stand for each other, and contractions. None of them holds a negation."""

from __future__ import annotations

PHRASES = """
because of = due to; because of = owing to; thanks to > because of; in order to > to, so as to; so as to > in order to;
as well as > and also / D N; such as > including, like / D N E; a lot of > lots of, plenty of; lots of > a lot of;
plenty of > a lot of, lots of; a number of > several / N; several > a number of / N; the majority of > most / N;
in spite of = despite; even though = although; instead of = rather than / VG D N; with regard to > regarding;
regarding > about, concerning; concerning > about, regarding; next to = beside; close to > near / D E;
near > close to / D E; prior to > before; before > prior to / VG; until = till; as long as = provided that;
whereas > while; more than = over / 0; less than = under / 0; every > each / NN; each > every / NN; as if = as though;
by means of > through, using; on behalf of > for; for the purpose of > for;
is going to > will / VB; are going to > will / VB; am going to > will / VB; has to > must / VB A; have to > must / VB A;
needs to > has to, must / VB; need to > have to, must / VB; is able to > can / VB; are able to > can / VB;
was able to > could, managed to / VB; were able to > could, managed to / VB; the fact that > that; said that > said;
thinks that > thinks; think that > think; believes that > believes; believe that > believe; hope that > hope;
known as > called; called > named / E; in the event of > in case of; at the age of > aged; at a time when > when;
in the course of > during; in the middle of > amid; in the vicinity of > near;
in favor of > for; in favour of > for; ahead of > before / D E; amid > during / D; throughout > all through / D;
in the past > previously / X; in the future > later on / X;
some of the > several of the; all of the > all the; both of the > both; half of the > half the;
would like to > want to / VB; wants to > would like to / VB; want to > would like to / VB; used to be > was once;
there are many > there are a lot of; there are a lot of > there are many / NS; it is likely that > probably;
it seems that > apparently; it is possible that > possibly; as soon as > once / O D E; so far > until now / X;
up to now > so far; as of now > at present; in general > generally / X; in particular > especially;
along with > together with;
together with > along with; apart from > aside from; aside from > apart from; besides > apart from / D;
according to > as stated by / D E; based on > on the basis of / D; inside > within / D; amongst > among;
toward = towards; onto > on to; afterwards > after that; all day > the whole day; the whole day > all day;
all night > the whole night; all over > throughout / D; a great deal of
> a lot of; a large number of > a great many, many / NS; a few > some, several / NS; any more > any longer; from now on
> from this point on; in advance > ahead of time; ahead of time > in advance; on time > punctually / X; at risk >
in danger / X P; in danger > at risk / X P; in charge of > responsible for; responsible for > in charge of / VG;
aware of > conscious of; full of > filled with; filled with > full of;
similar to > much like; made up of > composed of; consisting of > made up of;
interested in > keen on / VG; ought to > should / VB A; should > ought to / VB
; how do i > how can I / VB; how can i > how do I, what can I do to / VB; how do you > how can you / VB;
what is the best way to > what's the best way to, how can I best / VB; is it possible to > can I / VB;
what are some > what are a few / J NS; how does one > how do you / VB;
is there a way to > is it possible to, can I / VB; what should i do to > how can I / VB; where can i > where do I / VB;
why is it that > why; how long does it take to > how much time does it take to / VB;
will it be possible to > can I / VB; can you > could you / VB;
a set of > a group of / NS; a group of > a bunch of / NS;
a bunch of > a group of / NS; at the top of > atop / D;
dressed in > wearing / D N J; wearing > dressed in / D J N;
through the air > in the air / X; side by side > next to each other; next to each other > side by side
"""

CONTRACTIONS = """
; it is > it's / D J VG R P; he is > he's / D J VG R P; she is > she's / D J VG R P; that is > that's / D J VG R;
i am > I'm / D J VG R P VN; we are > we're / D J VG R P VN; they are > they're / D J VG R P VN;
you are > you're / D J VG R P VN; i have > I've / VN; we have > we've / VN; they have > they've / VN;
you have > you've / VN; i will > I'll / VB A; we will > we'll / VB A; they will > they'll / VB A;
you will > you'll / VB A; he will > he'll / VB A; she will > she'll / VB A; it will > it'll / VB A;
it's > it is / D J VG R P; he's > he is / D J VG R P; she's > she is / D J VG R P; that's > that is / D J VG R;
i'm > I am; we're > we are; they're > they are; you're > you are; i've > I have; we've > we have; they've > they have;
you've > you have; i'll > I will; we'll > we will; they'll > they will; you'll > you will; he'll > he will;
she'll > she will; it'll > it will; let's > let us
"""
