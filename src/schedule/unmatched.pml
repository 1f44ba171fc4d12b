/* The rendezvous without messages that were matched before (offloaded-collectives-2013, section IV.C and Figure 6),
   for Spin: why schedules do not use it.

   PE 0 sends messages to PE 1, one after the other; PE 1 receives as many. When a send is due, PE 0 appends
   an entry for "ready to receive" and says "ready to send"; when a receive is due, PE 1 appends entries for "ready to
   send" and for the data, and says "ready to receive". Whoever finds the other's word answers it: PE 0 with the data,
   PE 1 with "ready to receive" once more, as the first one may have come too early. What finds no entry is dropped.
   Messages keep their order. An entry takes one message; that for "ready to send" goes when the data have come.

   All is well as long as each message has a tag of its own, which both sides know: but then messages are matched
   before, and the shorter protocol of section IV.B will do. With -DONE_TAG two messages of one tag do not come to their
   end: the second "ready to receive" for the first message can find the entry of the second one, whose data then find
   no receive. */

#ifndef MESSAGES
#define MESSAGES 3
#endif

mtype = { ready_to_send, ready_to_receive, data }

chan to_receiver = [6] of { mtype, byte };
chan to_sender = [6] of { mtype, byte };

#ifdef ONE_TAG
#define tag_of(message) 0
#else
#define tag_of(message) message
#endif


/* The newest entries: no message comes before the end of the one before it. */
bool waits_for_receiver;  /* of PE 0 */
byte send_tag;
bool waits_for_sender;    /* of PE 1 */
bool waits_for_data;
byte receive_tag;

active proctype sender() {
  byte i = 0;
  do
  :: i < MESSAGES ->
     atomic {
       waits_for_receiver = true;
       send_tag = tag_of(i);
       to_receiver ! ready_to_send, tag_of(i)
     }
     !waits_for_receiver;
     i++
  :: else -> break
  od
}

active proctype receiver() {
  byte i = 0;
  do
  :: i < MESSAGES ->
     atomic {
       waits_for_sender = true;
       waits_for_data = true;
       receive_tag = tag_of(i);
       to_sender ! ready_to_receive, tag_of(i)
     }
     !waits_for_data;
     i++
  :: else -> break
  od
}

active proctype adapter_of_sender() {
  byte tag;
end:
  do
  :: atomic {
       to_sender ? ready_to_receive, tag ->
       if
       :: waits_for_receiver && send_tag == tag ->
          waits_for_receiver = false;
          to_receiver ! data, tag
       :: else
       fi
     }
  od
}

active proctype adapter_of_receiver() {
  byte tag;
end:
  do
  :: atomic {
       to_receiver ? ready_to_send, tag ->
       if
       :: waits_for_sender && receive_tag == tag ->
          waits_for_sender = false;
          to_sender ! ready_to_receive, tag
       :: else
       fi
     }
  :: atomic {
       to_receiver ? data, tag ->
       if
       :: waits_for_data && receive_tag == tag ->
          waits_for_data = false;
          waits_for_sender = false
       :: else
       fi
     }
  od
}
