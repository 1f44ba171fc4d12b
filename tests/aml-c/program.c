/* A breadth-first search in the manner of the Graph500 reference, with global variables for its
 * handler, over a graph whose distances are known: vertex v is adjacent to v + 1 and 2 v. */
#include <aml.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { vertices = 3000, visit = 7 };

struct visit_message {
  int32_t vertex; /* local number */
  int32_t from;   /* local number */
};

static int level[vertices]; /* by local number; 0: not visited */
static int64_t parent[vertices];
static int now = 1;
static int64_t visited_now;

static void visit_handler(int from, void* data, int length) {
  struct visit_message m;
  if (length != (int)sizeof m) exit(2);
  memcpy(&m, data, sizeof m);
  if (level[m.vertex] != 0) return;
  level[m.vertex] = now + 1;
  parent[m.vertex] = (int64_t)m.from * num_pes() + from;
  ++visited_now;
}

static void send_visit(int64_t to, int32_t from) {
  if (to >= vertices) return;
  struct visit_message m = {(int32_t)(to / num_pes()), from};
  aml_send(&m, visit, (int)sizeof m, (int)(to % num_pes()));
}

static int wrong_parents(void) {
  int wrong = 0;
  for (int64_t v = my_pe() + num_pes(); v < vertices; v += num_pes()) {
    const int64_t p = parent[v / num_pes()];
    if (level[v / num_pes()] == 0 || (p + 1 != v && 2 * p != v)) ++wrong;
  }
  return wrong;
}

int main(int argc, char** argv) {
  if (aml_init(&argc, &argv) != 0) return 1;
  const double start = aml_time();
  aml_register_handler(visit_handler, visit);
  if (my_pe() == 1 % num_pes()) level[1 / num_pes()] = 1;
  int64_t visited = 1;
  int64_t sum = 1;
  for (; sum != 0; ++now) {
    for (int64_t v = my_pe(); v < vertices; v += num_pes()) {
      if (level[v / num_pes()] != now) continue;
      send_visit(v + 1, (int32_t)(v / num_pes()));
      send_visit(2 * v, (int32_t)(v / num_pes()));
    }
    aml_barrier();
    sum = visited_now;
    visited_now = 0;
    aml_long_allsum(&sum);
    visited += sum;
  }
  long long latest = now;
  long long earliest = now;
  aml_long_allmax(&latest);
  aml_long_allmin(&earliest);
  const int is_right =
      visited == vertices - 1 && wrong_parents() == 0 && latest == earliest && aml_time() >= start;
  if (!is_right) fprintf(stderr, "PE %d: %" PRId64 " vertices visited\n", my_pe(), visited);
  aml_finalize();
  return is_right ? 0 : 1;
}
