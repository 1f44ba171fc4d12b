/* The first example of the conveyors paper (conveyors-2019, figure 3), as a program in C. */
#include <boxcar_world.h>
#include <convey.h>
#include <stdio.h>

enum { slots_per_pe = 1000, updates = 100000 };

int main(void) {
  const int pes = boxcar_n_pes();
  int64_t tally[slots_per_pe] = {0};
  convey_t* c = convey_new(SIZE_MAX, 0, NULL, 0);
  if (pes < 1 || c == NULL) return 1;

  convey_begin(c, sizeof(int64_t), 0);
  int64_t sent = 0;
  while (convey_advance(c, sent == updates) > 0) {
    for (; sent < updates; sent++) {
      const int64_t slot = sent % slots_per_pe;
      if (convey_push(c, &slot, sent % pes) <= 0) break;
    }
    int64_t slot;
    while (convey_pull(c, &slot, NULL) > 0) tally[slot]++;
  }
  convey_reset(c);
  convey_free(c);

  int64_t counted = 0;
  for (int i = 0; i < slots_per_pe; i++) counted += tally[i];
  if (boxcar_sum(&counted) <= 0 || counted != (int64_t)updates * pes) return 1;
  if (boxcar_my_pe() == 0) printf("%d PEs counted %lld updates\n", pes, (long long)counted);
  return 0;
}
