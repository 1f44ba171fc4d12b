// Tests of collections whose objects migrate at random moments: items, arrays and broadcasts arrive
// once and in order, sessions end when everything has been delivered, and locations are learned.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <boxcar/collection.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::migration_test {

// An object that checks the order of what it gets, and counts it.
struct traveller {
  std::int64_t index = 0;
  std::vector<std::uint64_t> items;   // by sending PE
  std::vector<std::uint64_t> arrays;  // by sending PE
  std::uint64_t broadcasts = 0;
  std::uint64_t visits = 0;  // PEs on which the object has been
};

}  // namespace boxcar::test::migration_test

template <>
struct boxcar::serializer<boxcar::test::migration_test::traveller> {
  static void write(byte_writer& out, const test::migration_test::traveller& t) {
    out.put(t.index);
    out.put(t.items);
    out.put(t.arrays);
    out.put(t.broadcasts);
    out.put(t.visits);
  }
  static test::migration_test::traveller read(byte_reader& in) {
    return {in.get<std::int64_t>(), in.get<std::vector<std::uint64_t>>(),
            in.get<std::vector<std::uint64_t>>(), in.get<std::uint64_t>(),
            in.get<std::uint64_t>() + 1};
  }
};

namespace boxcar::test::migration_test {
namespace {

struct numbered {
  std::int32_t source;
  std::int32_t migrate_to;  // -1: stay
  std::uint64_t number;
};

struct announcement {
  std::uint64_t check;
};

// A random program on one PE.
class traveller_program {
 public:
  traveller_program(world& w, std::int64_t objects, collection_options options = {})
      : world_(w),
        objects_(objects),
        d_(program_seed(static_cast<std::uint64_t>(w.rank()))),
        sent_(static_cast<std::size_t>(objects)),
        sent_arrays_(static_cast<std::size_t>(objects)),
        c_(
            w, objects, [&](std::int64_t i) { return made(i); }, options),
        on_item_(c_.on_item<numbered>(
            [this](traveller& t, std::int64_t index, const numbered& n) { take(t, index, n); })),
        on_announcement_(c_.on_item<announcement>([](traveller& t, const announcement& a) {
          EXPECT_EQ(a.check, 77U);
          ++t.broadcasts;
        })),
        on_array_(c_.on_array<std::uint32_t>(
            [](traveller& t, std::span<const std::uint32_t> array) { take(t, array); })) {}

  boxcar::collection<traveller>& objects() { return c_; }

  void send_item(std::int64_t to, int migrate_to = -1) {
    c_.send(on_item_, to,
            numbered{world_.rank(), migrate_to, sent_[static_cast<std::size_t>(to)]++});
  }
  void send_array(std::int64_t to, std::size_t length) {
    std::vector<std::uint32_t> array(length + 2);
    std::iota(array.begin(), array.end(), 0U);
    array[0] = static_cast<std::uint32_t>(world_.rank());
    array[1] = static_cast<std::uint32_t>(sent_arrays_[static_cast<std::size_t>(to)]++);
    c_.send_array(on_array_, to, array);
  }
  void announce() {
    ++announced_;
    c_.broadcast(on_announcement_, announcement{77});
  }

  void act(int steps) {
    for (int i = 0; i < steps; ++i) {
      const auto to = static_cast<std::int64_t>(d_.below(static_cast<int>(objects_)));
      if (d_.chance(4)) {
        c_.migrate(to, d_.below(world_.size()));
      } else if (d_.chance(2)) {
        announce();
      } else if (d_.chance(5)) {
        send_array(to, static_cast<std::size_t>(d_.below(100)));
      } else if (d_.chance(3)) {
        c_.poll();
      } else {
        send_item(to, d_.chance(4) ? d_.below(world_.size()) : -1);
      }
    }
  }

  // Collective. Checks that everything has arrived.
  void expect_all() {
    const auto sent = world_.all_gather(sent_);
    const auto arrays = world_.all_gather(sent_arrays_);
    const std::uint64_t announced = world_.reduce(announced_);
    std::int64_t here = 0;
    std::int64_t indices = 0;
    c_.for_each_local([&](std::int64_t index, const traveller& t) {
      ++here;
      indices += index;
      EXPECT_EQ(t.index, index);
      EXPECT_EQ(t.broadcasts, announced) << "object " << index;
      for (std::size_t pe = 0; pe != sent.size(); ++pe) {
        EXPECT_EQ(t.items[pe], sent[pe][static_cast<std::size_t>(index)]);
        EXPECT_EQ(t.arrays[pe], arrays[pe][static_cast<std::size_t>(index)]);
      }
    });
    EXPECT_EQ(world_.reduce(here), objects_);
    EXPECT_EQ(world_.reduce(indices), objects_ * (objects_ - 1) / 2);
  }

 private:
  [[nodiscard]] traveller made(std::int64_t index) const {
    const auto pes = static_cast<std::size_t>(world_.size());
    return {index, std::vector<std::uint64_t>(pes), std::vector<std::uint64_t>(pes), 0, 1};
  }
  void take(traveller& t, std::int64_t index, const numbered& n) {
    EXPECT_EQ(t.index, index);
    EXPECT_EQ(n.number, t.items[static_cast<std::size_t>(n.source)]++)
        << "object " << index << ", from PE " << n.source;
    if (n.migrate_to >= 0) c_.migrate(index, n.migrate_to);
  }
  static void take(traveller& t, std::span<const std::uint32_t> array) {
    ASSERT_GE(array.size(), 2U);
    EXPECT_EQ(array[1], t.arrays[array[0]]++);
    for (std::size_t i = 2; i < array.size(); ++i) ASSERT_EQ(array[i], i);
  }

  world& world_;
  std::int64_t objects_;
  dice d_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> sent_arrays_;
  std::uint64_t announced_ = 0;
  boxcar::collection<traveller> c_;
  handler_number<numbered> on_item_;
  handler_number<announcement> on_announcement_;
  handler_number<std::uint32_t[]> on_array_;
};

class migration : public testing::TestWithParam<world_shape> {};

TEST_P(migration, at_random_moments_by_quiescence) {
  run_on(GetParam(), [](world& w) {
    traveller_program program(w, 11);
    for (int round = 0; round < 4; ++round) {
      const session scope = program.objects().begin();
      program.act(400);
      program.objects().finish();
      program.expect_all();
    }
  });
}

TEST_P(migration, at_random_moments_by_counting) {
  run_on(GetParam(), [](world& w) {
    collection_options options;
    options.chunk_bytes = 40;
    options.max_locations = 3;
    options.stream.buffer_bytes = 128;
    traveller_program program(w, 7, options);
    for (int round = 0; round < 3; ++round) {
      const session scope = program.objects().begin(counting(w.size()));
      program.act(300);
      program.objects().done();
      program.objects().finish();
      program.expect_all();
    }
  });
}

// After a migration each sender makes one detour: what was under way, and no more.
TEST_P(migration, detours_are_bounded) {
  run_on(GetParam(), [](world& w) {
    collection_options options;
    options.stream.buffer_bytes = 1024;
    traveller_program program(w, 3, options);
    constexpr int items = 20000;
    std::uint64_t forwarded = 0;
    for (int round = 0; round < 3; ++round) {
      const session scope = program.objects().begin();
      if (program.objects().local(1) != nullptr) program.objects().migrate(1, round % w.size());
      for (int i = 0; i < items; ++i) program.send_item(1);
      program.objects().finish();
      program.expect_all();
      const std::uint64_t now = w.reduce(program.objects().statistics().forwarded);
      // At most 4 buffers of each sender are under way, on each of two steps.
      EXPECT_LE(now - forwarded, static_cast<std::uint64_t>(w.size()) * (2 * 4 * 1024 / 20 + 100))
          << "round " << round;
      forwarded = now;
    }
    const std::uint64_t learned = w.reduce(program.objects().statistics().learned);
    EXPECT_EQ(learned != 0, w.size() > 1);
  });
}

// Many objects move to the next PE, and to the PE where they are: the packing of all.
TEST_P(migration, by_rotation) {
  run_on(GetParam(), [](world& w) {
    traveller_program program(w, 60);
    for (int round = 0; round < w.size() + 1; ++round) {
      const session scope = program.objects().begin();
      program.objects().for_each_local([&](std::int64_t index, const traveller&) {
        program.objects().migrate(index, index % 7 == 0 ? w.rank() : (w.rank() + 1) % w.size());
      });
      for (std::int64_t i = 0; i < 60; ++i) program.send_item(i);
      program.announce();
      program.send_array(round, 3000);
      program.objects().finish();
      program.expect_all();
    }
  });
}

// An object that migrates in the middle of an array takes the chunks along that it has.
TEST_P(migration, in_the_middle_of_arrays) {
  run_on(GetParam(), [](world& w) {
    collection_options options;
    options.chunk_bytes = 64;
    traveller_program program(w, 4, options);
    for (int round = 0; round < 3; ++round) {
      const session scope = program.objects().begin();
      for (int i = 0; i < 20; ++i) {
        program.send_array(i % 4, 500);
        program.objects().migrate((i + 1) % 4, (i + w.rank()) % w.size());
      }
      program.objects().finish();
      program.expect_all();
    }
  });
}

// Objects arrive at the last PE while its loop over its objects sends.
TEST_P(migration, during_a_loop_that_sends) {
  run_on(GetParam(), [](world& w) {
    collection_options options;
    options.stream.buffer_bytes = 512;
    using mapping = collection_mapping<std::int64_t>;
    boxcar::collection<std::int64_t> c(w, mapping::hashed(), options);
    const std::int64_t objects = 200 * w.size();
    for (std::int64_t i = w.rank(); i < objects; i += w.size()) {
      c.insert(i, [] { return std::int64_t{0}; });
    }
    c.commit();
    const auto add = c.on_item<std::int64_t>([](std::int64_t& o, std::int64_t n) { o += n; });
    const auto local_indices = [&c] {
      std::vector<std::int64_t> all;
      c.for_each_local([&](std::int64_t index, std::int64_t) { all.push_back(index); });
      return all;
    };
    const int last = w.size() - 1;
    std::int64_t sent = 0;
    {
      const session scope = c.begin();
      const std::vector<std::int64_t> before = local_indices();
      if (w.rank() != last) {
        for (const std::int64_t index : before) c.migrate(index, last);
        c.flush();
      } else {
        std::vector<std::int64_t> seen;
        c.for_each_local([&](std::int64_t index, std::int64_t) {
          seen.push_back(index);
          for (int i = 0; i < 20; ++i) {
            c.send(add, (index * 7 + i * 131) % objects, std::int64_t{1});
            ++sent;
            c.poll();
          }
        });
        EXPECT_EQ(seen, before);
      }
      c.finish();
    }
    EXPECT_EQ(c.local_size(), w.rank() == last ? static_cast<std::size_t>(objects) : 0U);
    EXPECT_EQ(c.reduce([](std::int64_t, std::int64_t n) { return n; }, std::int64_t{0}),
              w.reduce(sent));
  });
}

TEST_P(migration, after_a_loop_that_has_thrown) {
  run_on(GetParam(), [](world& w) {
    boxcar::collection<std::int64_t> c(w, 40, [](std::int64_t i) { return i; });
    const auto fail = [](std::int64_t, std::int64_t) -> std::int64_t {
      throw std::runtime_error("a loop has thrown");
    };
    if (c.local_size() != 0) {
      EXPECT_THROW(c.for_each_local(fail), std::runtime_error);
    }
    if (w.size() <= 40) {
      EXPECT_THROW(static_cast<void>(c.reduce(fail, std::int64_t{0})), std::runtime_error);
      EXPECT_THROW(static_cast<void>(c.gather(fail)), std::runtime_error);
    }
    const int last = w.size() - 1;
    const session scope = c.begin();
    try {
      c.for_each_local([&](std::int64_t index, std::int64_t) {
        c.migrate(index, last);
        if (index % 3 == 1) throw std::runtime_error("a loop has thrown");
      });
    } catch (const std::runtime_error&) {
      c.for_each_local([&](std::int64_t index, std::int64_t) { c.migrate(index, last); });
    }
    c.finish();
    EXPECT_EQ(c.local_size(), w.rank() == last ? 40U : 0U);
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, migration, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::migration_test
