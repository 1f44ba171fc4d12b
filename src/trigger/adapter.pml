/* Who carries out what fires (adapter_state.hpp), for Spin: each operation once, one at a time, whoever
   asks and counts meanwhile; and the PE that waits for a counter is woken.

   Two PEs put something at a third one, twice each, which its counter counts; that one asks meanwhile for an
   operation at each threshold, and then waits until it has counted what they have done. An operation that is
   carried out counts, too. Whoever makes the list of what has fired longer than nothing empties it; or leaves
   it to the PE, if that waits and the next one takes long. The PE waits for some of them and computes then,
   while the others are to be carried out as well.

   Faults: -DLOOKS_UNLOCKED (the counter is looked at, and then the operation waits, in two steps),
   -DLEAVES_UNLOCKED (the list is found to be empty, and given up in a second step), -DDRAINS_ALWAYS
   (though somebody is at it already), -DSLEEPS_UNANNOUNCED (the PE looks for the last time before it
   says that it is about to sleep), -DGOES_WITHOUT_LOOKING (when it ceases to wait it does not see what
   has been left to it). */

#define PUTTERS 2
#define PUTS 2
#define OPERATIONS (PUTTERS * PUTS)
#define WANTED 2

bool locked = false;
byte counted = 0;      /* arrivals */
byte waiting = 0;      /* the thresholds at which operations wait, as bits */
byte fired = 0;
bool drained = false;
byte carrying = 0;
byte carried_out = 0;  /* counts operations: what the PE waits for */
bool asleep = false;
bool bell = false;
bool awaited = false;  /* the PE waits */
bool left = false;     /* to it */

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* Under the lock: what has reached its threshold. */
inline fire() {
  d_step {
    do
    :: (waiting & 1) && counted >= 1 -> waiting = waiting & ~1; fired++
    :: (waiting & 2) && counted >= 2 -> waiting = waiting & ~2; fired++
    :: (waiting & 4) && counted >= 3 -> waiting = waiting & ~4; fired++
    :: (waiting & 8) && counted >= 4 -> waiting = waiting & ~8; fired++
    :: else -> break
    od
  }
}

/* Before it is unlocked: this PE is to empty the list. `gives`: it may leave that to the PE that waits. */
inline claim(mine, gives) {
  mine = false;
  if
  :: gives && awaited && fired > 0 && !drained -> left = true
#ifdef DRAINS_ALWAYS
  :: fired > 0 -> drained = true; mine = true
#else
  :: fired > 0 && !drained -> drained = true; mine = true
#endif
  :: else
  fi
}

inline wake() {
  if
  :: asleep -> bell = true
  :: else
  fi
}

inline drain(mine, gives) {
  do
  :: !mine -> break
  :: mine ->
     lock();
     if
     :: gives && awaited && fired > 0 -> drained = false; left = true; unlock(); mine = false; wake()
     :: fired > 0 ->
        fired--;
        unlock();
        carrying++;
        assert(carrying == 1);
        carrying--;
        lock();
        carried_out++;
        unlock();
        wake()
     :: fired == 0 ->
#ifdef LEAVES_UNLOCKED
        unlock();
        drained = false;
#else
        drained = false;
        unlock();
#endif
        mine = false
     fi
  od
}

active [PUTTERS] proctype putter() {
  byte i = 0;
  bool mine;
  do
  :: i < PUTS ->
     lock();
     counted++;
     fire();
     claim(mine, true);
     unlock();
     wake();
     drain(mine, true);
     i++
  :: i == PUTS -> break
  od
}

active proctype owner() {
  byte i = 0;
  bool mine;
  do
  :: i < OPERATIONS ->
#ifdef LOOKS_UNLOCKED
     bool is_reached = counted >= i + 1;
     lock();
     if
     :: is_reached -> fired++
     :: else -> waiting = waiting | (1 << i)
     fi;
#else
     lock();
     waiting = waiting | (1 << i);
     fire();
#endif
     claim(mine, false);
     unlock();
     drain(mine, false);
     i++
  :: i == OPERATIONS -> break
  od;
  lock();
  awaited = true;
  claim(mine, false);
  unlock();
  drain(mine, false);
  do
  :: carried_out >= WANTED -> break
  :: carried_out < WANTED && left ->
     lock();
     left = false;
     claim(mine, false);
     unlock();
     drain(mine, false)
  :: carried_out < WANTED && !left ->
#ifdef SLEEPS_UNANNOUNCED
     if
     :: carried_out >= WANTED || left
     :: else -> asleep = true; bell; bell = false
     fi;
#else
     asleep = true;
     if
     :: carried_out >= WANTED || left
     :: else -> bell; bell = false
     fi;
#endif
     asleep = false
  od;
  lock();
  awaited = false;
  left = false;
#ifdef GOES_WITHOUT_LOOKING
  mine = false;
#else
  claim(mine, false);
#endif
  unlock();
  drain(mine, false);
  /* It computes. */
  carried_out == OPERATIONS;
  assert(waiting == 0 && fired == 0)
}
