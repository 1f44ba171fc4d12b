// Collections whose objects migrate while items are under way.
#include <array>
#include <cstdint>
#include <vector>

#include <boxcar/collection.hpp>

#include "exploration/program.hpp"

namespace boxcar::test {
namespace {

constexpr int max_pes = 3;

// An object that requires the items of each PE in order.
struct ordered {
  std::array<int, max_pes> next{};
  int broadcasts = 0;

  [[nodiscard]] int handled() const {
    int sum = 0;
    for (const int n : next) sum += n;
    return sum;
  }
};

struct numbered {
  int source;
  int number;
  int migrate_to;  // -1: stay
};

collection_options with_small_buffers() {
  collection_options options;
  options.stream.buffer_bytes = 48;
  return options;
}

// One object, to which every PE sends items in order.
class one_object {
 public:
  explicit one_object(world& w)
      : world_(w),
        objects_(
            w, 1, [](std::int64_t) { return ordered{}; }, with_small_buffers()),
        on_item_(objects_.on_item<numbered>([this](ordered& o, std::int64_t, const numbered& n) {
          require_equal(n.number, o.next.at(static_cast<std::size_t>(n.source)),
                        "the next item of a PE at the object");
          ++o.next.at(static_cast<std::size_t>(n.source));
          if (n.migrate_to >= 0) objects_.migrate(0, n.migrate_to);
        })),
        on_broadcast_(objects_.on_item<int>([](ordered& o, int) { ++o.broadcasts; })) {}

  session begin() { return objects_.begin(); }
  void send(int migrate_to = -1) {
    objects_.send(on_item_, 0, numbered{world_.rank(), sent_++, migrate_to});
  }
  void migrate(int pe) { objects_.migrate(0, pe); }
  void broadcast() {
    ++announced_;
    objects_.broadcast(on_broadcast_, 1);
  }
  void poll() { objects_.poll(); }

  // Collective.
  void finish() {
    objects_.finish();
    const int broadcasts = world_.reduce(announced_);
    int here = 0;
    int handled = 0;
    objects_.for_each_local([&](std::int64_t, const ordered& o) {
      ++here;
      handled += o.handled();
      require_equal(o.broadcasts, broadcasts, "broadcasts at the object");
    });
    require_equal(world_.reduce(here), 1, "objects");
    require_equal(world_.reduce(handled), world_.reduce(sent_), "items at the object");
  }

 private:
  world& world_;
  int sent_ = 0;
  int announced_ = 0;
  collection<ordered> objects_;
  handler_number<numbered> on_item_;
  handler_number<int> on_broadcast_;
};

// The object goes round, with the items that send it on.
void round_trip(world& w) {
  one_object o(w);
  for (int turn = 0; turn < 2; ++turn) {
    const auto scope = o.begin();
    for (int i = 0; i < 3; ++i) o.send(i == 1 ? (w.rank() + 1) % w.size() : -1);
    o.finish();
  }
}

// Two PEs ask for migrations of their own, to and fro, and all send.
void to_and_fro(world& w) {
  one_object o(w);
  const auto scope = o.begin();
  o.send();
  if (w.rank() < 2) o.migrate(1 - w.rank());
  o.send();
  o.poll();
  o.send();
  if (w.rank() == 0) o.migrate(0);
  o.send();
  o.finish();
}

// The senders learn a location, and the object moves on.
void learned_and_left(world& w) {
  one_object o(w);
  const auto scope = o.begin();
  if (w.rank() == 0) o.migrate(1);
  for (int i = 0; i < 4; ++i) o.send(w.rank() == 2 && i == 2 ? 2 : -1);
  o.finish();
}

void broadcasts(world& w) {
  one_object o(w);
  const auto scope = o.begin();
  if (w.rank() == 0) o.migrate(1);
  o.broadcast();
  if (w.rank() == 1) o.migrate(2);
  o.broadcast();
  o.send(w.rank());
  o.finish();
}

}  // namespace

std::vector<program> collection_programs() {
  constexpr std::uint64_t many = 10;  // migrations have more orders than what is on lower floors
  return {{"object_round_trip", 3, 0, round_trip, many},
          {"object_to_and_fro", 3, 1, to_and_fro, many},
          {"object_learned_and_left", 3, 0, learned_and_left, many},
          {"object_broadcasts", 3, 2, broadcasts, many}};
}

}  // namespace boxcar::test
