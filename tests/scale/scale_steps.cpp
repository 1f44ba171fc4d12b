// Does what tests/scale/scale_cases.hpp says for a world of so many PEs, to be counted by
// valgrind's callgrind: count_steps tells how.
//
//   scale_steps PES PES_PER_NODE
//
// At the end of each step it calls `end_of_step`, and writes a line with its name and the number of
// links.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "scale/scale_cases.hpp"

namespace {

[[gnu::noinline]] void end_of_step(const boxcar::test::scale_case& c, const char* step) {
  std::printf("%s %s %zu\n", c.name.c_str(), step, c.links);
}

}  // namespace

int main(int, char** words) {
  using namespace boxcar::test;
  const int pes = std::atoi(words[1]);
  const int per_node = std::atoi(words[2]);
  for (const scale_case& c : scale_cases(pes, per_node)) {
    auto rest = std::make_unique<pretended_world>(pes, per_node, scale_rank(per_node));
    pretended_world& others = *rest;
    boxcar::world w(std::move(rest));
    const char* step = "start";
    c.run(w, others, [&](const char* next) {
      end_of_step(c, step);
      step = next;
    });
    end_of_step(c, step);
  }
  return 0;
}
