/* How a PE of a node takes its end of a message back that goes by rendezvous (adapter_abandon.cpp), for Spin: when it has,
   nobody reads or writes its memory any more, whatever the other PE does at that time, which may do the same; and
   neither of them waits for ever.

   PE 0 sends to PE 1, run after run, and each gives that up whenever it likes. Who comes second copies, in two steps
   between which others act; or, if that is the receiver, leaves it to the sender's list, which somebody empties.

   Faults: -DMARKS_NOTHING (others do not see that an end is gone), -DWAITS_FOR_NOTHING (a copy that has begun is not
   waited for), -DCOUNTS_ALWAYS (an end that comes too late counts as one that has come), -DRELEASES_FIRST (the copy is
   said to be over before it is), -DLEAVES_THE_LIST (the sender does not look at its list, and nobody else does). */

#define RUNS 2
#define IS_ABANDONED 1
#define AN_END 2

byte came;
byte delivered;
byte told[2];
bool gone[2];    /* the memory of that PE */
bool listed;     /* a copy, by the sender's list */

inline deliver() {
#ifdef RELEASES_FIRST
  delivered++;
#endif
  assert(!gone[0]);
  assert(!gone[1]);
#ifndef RELEASES_FIRST
  delivered++;
#endif
  told[0]++;
  told[1]++
}

/* This PE's end is due. */
inline arrive() {
  d_step { before = came; came = came + AN_END }
  if
  :: (before & (AN_END | IS_ABANDONED)) == AN_END ->
     if
     :: deliver()
     :: _pid == 1 -> listed = true
     fi
#ifndef COUNTS_ALWAYS
  :: before & IS_ABANDONED -> came = came - AN_END
#endif
  :: else
  fi
}

inline abandon() {
#ifndef MARKS_NOTHING
  d_step { came = came | IS_ABANDONED }
#endif
#ifndef WAITS_FOR_NOTHING
  do
  :: came / (2 * AN_END) == delivered -> break
#ifndef LEAVES_THE_LIST
  :: atomic { _pid == 0 && listed -> listed = false }
     deliver()
#endif
  od;
#endif
  gone[_pid] = true
}

active [2] proctype pe() {
  byte turn = 0;
  byte before;
  do
  :: turn < RUNS ->
     arrive();
     if
     :: told[_pid] > turn -> turn++
     :: break
     fi
  :: break
  od;
  abandon()
}

#ifndef LEAVES_THE_LIST
active proctype who_empties_the_list() {
end:
  do
  :: atomic { listed -> listed = false }
     deliver()
  od
}
#endif
