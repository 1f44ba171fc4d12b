/* The counting put (counter.hpp, window_state.cpp), for Spin: the data of a counted operation are
   there when the counter shows it.

   Two senders put two values each to one target, over a network that delivers what is under way in
   any order. What one sender must see to is the order of its own data and its own addition.
   -DBY_SENDER: it sends both, with a fence between, which is that the data have arrived.
   Otherwise it sends one request, and whoever carries it out does both.

   Faults: -DADDS_FIRST (the addition is carried out before the data are written),
   -DNO_FENCE (the sender sends the addition without waiting for the data). */

#define SENDERS 2
#define PUTS 2

mtype = { data, addition, request };
chan network = [SENDERS * 2] of { mtype, byte };  /* what it is, and whose */

byte written[SENDERS];  /* values of each sender that are there */
byte arrived[SENDERS];  /* of its messages of data, as the sender may know */
byte count = 0;

inline write(who) { written[who] = written[who] + 1 }
inline add() { count = count + 1 }

active [SENDERS] proctype sender() {
  byte put = 0;
  do
  :: put < PUTS ->
#ifdef BY_SENDER
     network ! data(_pid);
#ifndef NO_FENCE
     arrived[_pid] > put;
#endif
     network ! addition(_pid);
#else
     network ! request(_pid);
#endif
     put++
  :: else -> break
  od
}

/* Takes any message that is under way. */
active proctype target() {
  byte who;
  byte seen = 0;
end:
  do
  :: network ?? data(who) -> write(who); arrived[who]++
  :: network ?? addition(who) -> add()
  :: network ?? request(who) ->
#ifdef ADDS_FIRST
     add(); write(who)
#else
     write(who); add()
#endif
  od
}

/* The program of the target, which looks at any time. */
active proctype reader() {
  byte seen;
  do
  :: seen = count;
     assert(written[0] + written[1] >= seen);
     if
     :: seen == SENDERS * PUTS -> break
     :: else
     fi
  od
}
