/* Messages between two PEs of a node that have agreed on them beforehand (rendezvous_record, adapter_state.hpp), for
   Spin: each run delivers each message once, whole; what was sent may be overwritten when the sender is told, and a PE
   that waits for the end of its run is woken.

   Both PEs send to the other and receive from it, run after run: with one message each way. In each run a PE writes
   something else to what it sends. What is delivered is copied in two steps, between which others act. Who is told
   of the last delivery of its run may be in the next one while the other has not been told yet. abandon.pml is the
   model of a PE that destroys its end.

   Faults: -DLOOKS_FIRST (an end looks whether the other is there, and then says in a second step that it is),
   -DTELLS_FIRST (both are told before the message has been copied), -DWAITS_UNANNOUNCED (a PE looks for the last time
   before it says that it waits), -DSLEEPS_UNANNOUNCED (or before it says that it is about to sleep),
   -DLOOKS_EARLY (who delivers looks whether the PE waits, and then tells it). */

#define RUNS 3

byte came[2];     /* ends that have been due, of the message from that PE */
byte sent[2];     /* memory of that PE */
byte received[2];
byte told[2];     /* the completion count of that PE */
bool awaited[2];
bool asleep[2];
bool bell[2];

inline tell(pe) {
#ifdef LOOKS_EARLY
  is_awaited = awaited[pe];
  told[pe]++;
#else
  told[pe]++;
  is_awaited = awaited[pe];
#endif
  if
  :: is_awaited ->
     if
     :: asleep[pe] -> bell[pe] = true
     :: else
     fi
  :: else
  fi
}

inline deliver(from, to) {
#ifdef TELLS_FIRST
  tell(from);
  tell(to);
#endif
  data = sent[from];
  received[to] = data;
#ifndef TELLS_FIRST
  tell(from);
  tell(to)
#endif
}

/* An end of the message from this PE is due. */
inline arrive(from, to) {
#ifdef LOOKS_FIRST
  is_second = came[from] % 2 == 1;
  came[from]++;
#else
  d_step { is_second = came[from] % 2 == 1; came[from]++ }
#endif
  if
  :: is_second -> deliver(from, to)
  :: else
  fi
}

#define is_over (told[_pid] >= 2 * turn)

inline wait() {
  if
  :: is_over
  :: else ->
#ifdef WAITS_UNANNOUNCED
     asleep[_pid] = true;
     if
     :: is_over
     :: else -> awaited[_pid] = true; bell[_pid]; bell[_pid] = false
     fi;
#else
     awaited[_pid] = true;
     do
     :: is_over -> break
     :: else ->
#ifdef SLEEPS_UNANNOUNCED
        asleep[_pid] = true;
        bell[_pid];
#else
        asleep[_pid] = true;
        if
        :: is_over
        :: else -> bell[_pid]
        fi;
#endif
        bell[_pid] = false;
        asleep[_pid] = false
     od;
#endif
     asleep[_pid] = false;
     awaited[_pid] = false
  fi
}

active [2] proctype pe() {
  byte turn = 1;
  byte other = 1 - _pid;
  byte data;
  bool is_second;
  bool is_awaited;
  do
  :: turn <= RUNS ->
     sent[_pid] = 10 * turn + _pid;
     arrive(_pid, other);
     arrive(other, _pid);
     wait();
     assert(told[_pid] == 2 * turn);
     assert(received[_pid] == 10 * turn + other);
     turn++
  :: turn > RUNS -> break
  od
}
