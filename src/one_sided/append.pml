/* The protocol of append buffers (append_state.hpp), for Spin: what can be read has been written, by
   pushes of this round, each in one piece; nothing is lost.

   Two PEs push twice, two elements each, each push meant for a round. The owner waits until the buffer
   is full, reads, resets, and waits again. `reserved` is one word, of a round and a number of
   elements, that is replaced as a whole or not at all.

   Faults: -DCOMPLETES_FIRST (a push counts as complete before its elements are written),
   -DRESERVES_WITHOUT_ROUND (the round is looked at, and then room reserved by the number alone),
   -DRESETS_WITHOUT_LOOKING (though a push is under way). */

#define PUSHERS 2
#define LENGTH 2
#define CAPACITY 4
#define ROUNDS 2

byte round = 0;     /* the two parts of `reserved` */
byte reserved = 0;
byte completed = 0; /* never set back */
byte element[CAPACITY];  /* who wrote it, and in which round: 0, nobody; else 1 + 2 * round + who */
byte refused = 0;   /* pushes that found another round */

active [PUSHERS] proctype pusher() {
  byte wanted = 0;
  byte seen;
  byte seen_round;
  byte at;
  do
  :: wanted < ROUNDS ->
retry: skip;
     d_step { seen = reserved; seen_round = round };
     if
     :: seen_round < wanted -> goto retry  /* the client comes together with others first */
     :: seen_round > wanted -> refused++; goto done
     :: seen_round == wanted && seen + LENGTH > CAPACITY -> goto retry
     :: else
     fi;
     /* Others act here. */
     if
#ifdef RESERVES_WITHOUT_ROUND
     :: atomic { reserved == seen -> at = reserved; reserved = reserved + LENGTH }
     :: atomic { reserved != seen -> goto retry }
#else
     :: atomic { reserved == seen && round == seen_round -> at = reserved;
                 reserved = reserved + LENGTH }
     :: atomic { !(reserved == seen && round == seen_round) -> goto retry }
#endif
     fi;
     assert(round == wanted);
#ifdef COMPLETES_FIRST
     completed = completed + LENGTH;
#endif
     element[at] = 1 + 2 * wanted + _pid;
     element[at + 1] = 1 + 2 * wanted + _pid;
#ifndef COMPLETES_FIRST
     completed = completed + LENGTH;
#endif
done:
     wanted++
  :: else -> break
  od
}

active proctype owner() {
  byte before = 0;  /* of `completed`, at the beginning of the round */
  byte complete;
  byte mine = 0;
  byte i;
  do
  :: mine < ROUNDS ->
     /* At any moment at which both counts are found equal, the smaller one looked at first. */
     complete = completed - before;
     if
     :: complete == reserved ->
        i = 0;
        do
        :: i < complete ->
           assert(element[i] != 0 && (element[i] - 1) / 2 == mine);
           assert(i % LENGTH == 0 || element[i] == element[i - 1]);
           i++
        :: else -> break
        od
     :: else
     fi;
     /* A reset: when it is full, or too early. */
     if
#ifdef RESETS_WITHOUT_LOOKING
     :: atomic { reserved > 0 -> before = before + complete; reserved = 0; round = round + 1;
                 mine++ }
#else
     :: atomic { complete == reserved && reserved > 0 -> before = before + complete; reserved = 0;
                 round = round + 1; mine++ }
#endif
     :: true
     fi
  :: else -> break
  od
}
