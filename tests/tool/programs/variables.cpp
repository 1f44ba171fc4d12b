// variables -n NUMBER: every PE changes variables of all kinds of storage, and sees its own only.
// Prints the errors.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

#include <boxcar/boxcar.hpp>

namespace {

struct counted {
  counted() { ++made; }
  static inline int made = 0;
};

int number = 5;
long sums[4];    // input of collectives
long totals[4];  // output of collectives
std::map<std::string, int> words{{"a", 1}};
thread_local int of_thread = 3;
const counted only;

int count_calls() {
  static std::vector<int> calls;
  calls.push_back(0);
  return static_cast<int>(calls.size());
}

void check(bool right, boxcar::world& w, const char* what) {
  if (!right) std::printf("PE %d: wrong: %s\n", w.rank(), what);
}

}  // namespace

int main(int argc, char** argv) {
  int given = 0;
  for (int option = 0; (option = getopt(argc, argv, "n:")) != -1;) given = std::atoi(optarg);
  return boxcar::run([given](boxcar::world& w) {
    check(given == 12, w, "an option");
    check(counted::made == 1, w, "what a constructor did");
    number += w.rank();
    of_thread += w.rank();
    words["PE " + std::to_string(w.rank())] = w.rank();
    for (long& sum : sums) sum = w.rank() + (&sum - sums);
    count_calls();
    w.barrier();
    check(number == 5 + w.rank(), w, "a number");
    check(of_thread == 3 + w.rank(), w, "a variable of a thread");
    check(words.size() == 2, w, "a container");
    check(count_calls() == 2, w, "a variable of a function");

    const std::vector<std::vector<long>> all = w.all_gather(std::span<const long>(sums));
    const long pes = w.size();
    for (long pe = 0; pe < pes; ++pe) {
      for (long i = 0; i < 4; ++i) {
        check(all[static_cast<std::size_t>(pe)][static_cast<std::size_t>(i)] == pe + i, w,
              "gather");
      }
    }
    w.all_reduce_async(std::span<long>(sums), std::span<long>(totals)).wait();
    for (long i = 0; i < 4; ++i) check(totals[i] == pes * (pes - 1) / 2 + i * pes, w, "reduce");
    for (const int root : {0, w.size() - 1}) {
      number = root == w.rank() ? 100 + root : -1;
      w.broadcast(std::span(&number, 1), root);
      check(number == 100 + root, w, "broadcast");
    }
    check(w.scan(sums[0]) == w.rank() * (w.rank() + 1) / 2, w, "scan");
  });
}
