/* How messages of schedules travel, run after run (schedule_state.hpp), for Spin: each receive gets the message of
   its run, once, whole, and the memory of a send may be written to as soon as it is complete.

   PE 0 sends what it has, and then receives into the same memory; PE 1 receives, and sends on what it has got, plus
   one. In each run PE 0 writes something else there. What arrives is copied in two steps, between which
   others act. Counters are never set back: in run k one waits for k.

   By default the rendezvous with messages that were matched before; -DEAGER: with shadows. -DONE_WAY: PE 1
   sends nothing, so that PE 0 may get ahead.

   Faults: -DNO_GRANT (nothing waits for grants), -DCOMPLETES_FIRST (a send is complete before its memory has been
   read), -DSETS_BACK (a counter begins anew with each run), and of the eager protocol
   -DGRANTS_FIRST (a shadow is granted again before it has been copied). */

#define RUNS 3

byte memory[2];
byte shadow[2];   /* of the message to that PE */
#ifdef EAGER
byte granted[2] = 1; /* of messages to that PE, to their sender */
#else
byte granted[2];
#endif
byte arrived[2];
bool carrying[2]; /* the message to that PE */
byte data[2];

/* Whoever carries it out: what is sent is read and written in two steps. */
active [2] proctype carrier() {
  byte to = _pid;
end:
  do
  :: carrying[to] ->
     data[to] = memory[1 - to];
#ifdef EAGER
     shadow[to] = data[to];
#else
     memory[to] = data[to];
#endif
     atomic { arrived[to]++; carrying[to] = false }
  od
}

inline wait_until(what, turn) {
#ifdef SETS_BACK
  what >= 1
#else
  what >= turn
#endif
}

inline begin_run(what) {
#ifdef SETS_BACK
  what = 0
#else
  skip
#endif
}

inline send(to, turn) {
#ifndef NO_GRANT
  wait_until(granted[to], turn);
#endif
  carrying[to] = true;
#ifndef COMPLETES_FIRST
  !carrying[to]
#else
  skip
#endif
}

inline receive(me, turn) {
#ifdef EAGER
  wait_until(arrived[me], turn);
#ifdef GRANTS_FIRST
  granted[me]++;
  memory[me] = shadow[me]
#else
  memory[me] = shadow[me];
  granted[me]++
#endif
#else
  granted[me]++;
  wait_until(arrived[me], turn)
#endif
}

active proctype pe_0() {
  byte turn = 1;
  do
  :: turn <= RUNS ->
     begin_run(granted[1]);
     memory[0] = 10 * turn;
     send(1, turn);
#ifndef ONE_WAY
     receive(0, turn);
     assert(memory[0] == 10 * turn + 1);
#endif
     turn++
  :: turn > RUNS -> break
  od
}

active proctype pe_1() {
  byte turn = 1;
  do
  :: turn <= RUNS ->
     begin_run(arrived[1]);
     receive(1, turn);
     assert(memory[1] == 10 * turn);
#ifndef ONE_WAY
     memory[1]++;
     send(0, turn);
#endif
     memory[1] = 0;
     turn++
  :: turn > RUNS -> break
  od
}
