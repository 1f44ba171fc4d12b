// Conway's Game of Life on a large torus. The torus is cut into blocks, which are the objects of a
// collection: in each generation a block sends its borders to its eight neighbours. The pattern
// grows from one corner, and blocks without live cells have no work, so that the PE of the corner
// would do everything: the blocks migrate to PEs with less work every few generations. The last
// generation is compared with that of a serial program.
//
//   boxcar run -n 4 -- cellular_automaton --blocks 32 --generations 200

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/random.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/stopwatch.hpp"

namespace {

constexpr int side = 32;  // cells of a block, in each dimension

using position = std::array<std::int32_t, 2>;  // row and column
using row = std::uint64_t;                     // cell c of a block is bit c + 1

// The next state of the cells in bits 1 to `cells` of a row, by the rows above and below.
constexpr row next_row(row above, row here, row below, int cells) {
  row next = 0;
  for (int c = 1; c <= cells; ++c) {
    const row three = row{7} << (c - 1);
    const int alive =
        std::popcount(above & three) + std::popcount(here & three) + std::popcount(below & three);
    if (alive == 3 || (alive == 4 && (here >> c & 1) != 0)) next |= row{1} << c;
  }
  return next;
}

// The border of a block, for the neighbour in a direction.
struct border {
  std::int32_t down;  // -1, 0 or 1: where the sender is, as seen by the neighbour
  std::int32_t right;
  std::uint32_t cells;  // bit i: the cell i of the row or column; bit 0: the cell of the corner
};

class block {
 public:
  void set(int r, int c) { rows_[static_cast<std::size_t>(r + 1)] |= row{1} << (c + 1); }
  [[nodiscard]] bool get(int r, int c) const {
    return (rows_[static_cast<std::size_t>(r + 1)] >> (c + 1) & 1) != 0;
  }

  // Returns the cells that the neighbour in a direction sees, as a border has them.
  [[nodiscard]] std::uint32_t seen_from(int down, int right) const {
    const int r = down > 0 ? side - 1 : 0;
    const int c = right > 0 ? side - 1 : 0;
    if (down != 0 && right != 0) return get(r, c) ? 1 : 0;
    if (down != 0) return static_cast<std::uint32_t>(rows_[static_cast<std::size_t>(r + 1)] >> 1);
    std::uint32_t column = 0;
    for (int i = 0; i < side; ++i) column |= std::uint32_t{get(i, c)} << i;
    return column;
  }
  // The border lies around the block: in rows 0 and side + 1, and in bits 0 and side + 1.
  void take(const border& b) {
    const int r = b.down > 0 ? side : -1;
    const int c = b.right > 0 ? side : -1;
    if (b.down != 0 && b.right != 0) {
      set(r, c);
    } else if (b.down != 0) {
      rows_[static_cast<std::size_t>(r + 1)] |= row{b.cells} << 1;
    } else {
      for (int i = 0; i < side; ++i) {
        if ((b.cells >> i & 1) != 0) set(i, c);
      }
    }
  }
  // Makes the next generation, without borders. Returns whether there was work to do.
  bool advance() {
    row any = 0;
    for (const row& r : rows_) any |= r;
    if (any == 0) return false;
    const auto before = rows_;
    rows_ = {};
    for (std::size_t r = 1; r <= side; ++r) {
      rows_[r] = next_row(before[r - 1], before[r], before[r + 1], side);
    }
    return true;
  }

 private:
  std::array<row, side + 2> rows_{};
};

// The first generation: random cells in one corner.
bool is_alive_at_first(int r, int c, int blocks) {
  const int corner = blocks * side / 4;
  if (r >= corner || c >= corner) return false;
  return examples::mix(static_cast<std::uint64_t>(r) << 32 | static_cast<std::uint32_t>(c)) % 3 ==
         0;
}

block first_block(const position& at, int blocks) {
  block b;
  for (int r = 0; r < side; ++r) {
    for (int c = 0; c < side; ++c) {
      if (is_alive_at_first(at[0] * side + r, at[1] * side + c, blocks)) b.set(r, c);
    }
  }
  return b;
}

struct settings {
  int blocks;  // of the torus, in each dimension
  int generations;
  int balanced_every;
};

struct result {
  double uneven_before = 0;  // the largest load of a PE over the mean, at the first rebalance
  double uneven_after = 0;
  std::uint64_t moves = 0;
};

result simulate(boxcar::collection<block, position>& torus, const settings& s) {
  const auto take = torus.on_item<border>([](block& b, const border& at) { b.take(at); });
  const auto send_borders = [&](const position& at, const block& b) {
    for (int down = -1; down <= 1; ++down) {
      for (int right = -1; right <= 1; ++right) {
        const std::uint32_t cells = down == 0 && right == 0 ? 0 : b.seen_from(down, right);
        if (cells == 0) continue;
        const position to{(at[0] + down + s.blocks) % s.blocks,
                          (at[1] + right + s.blocks) % s.blocks};
        torus.send(take, to, border{-down, -right, cells});
      }
    }
  };
  result r;
  for (int generation = 1; generation <= s.generations; ++generation) {
    const boxcar::session scope = torus.begin();
    torus.for_each_local(send_borders);
    torus.finish();
    torus.for_each_local([&](const position& at, block& b) {
      if (b.advance()) torus.set_load(at, torus.load(at) + 1);
    });
    if (generation % s.balanced_every != 0) continue;
    const boxcar::balance_report report = boxcar::rebalance(torus);
    if (generation == s.balanced_every) {
      r.uneven_before = report.max_over_mean_before;
      r.uneven_after = report.max_over_mean_after;
    }
    r.moves += report.objects_moved;
    torus.for_each_local([&](const position& at, const block&) { torus.set_load(at, 0); });
  }
  return r;
}

// A torus of bytes, without blocks.
std::vector<std::uint8_t> simulate_alone(const settings& s) {
  const int n = s.blocks * side;
  const auto place = [n](int r, int c) {
    return static_cast<std::size_t>((r + n) % n * n + (c + n) % n);
  };
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(n * n));
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) cells[place(r, c)] = is_alive_at_first(r, c, s.blocks) ? 1 : 0;
  }
  for (int generation = 0; generation < s.generations; ++generation) {
    std::vector<std::uint8_t> next(cells.size());
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        int alive = -cells[place(r, c)];
        for (int i = -1; i <= 1; ++i) {
          for (int j = -1; j <= 1; ++j) alive += cells[place(r + i, c + j)];
        }
        next[place(r, c)] = alive == 3 || (alive == 2 && cells[place(r, c)] != 0) ? 1 : 0;
      }
    }
    cells = std::move(next);
  }
  return cells;
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Plays Life on a torus whose blocks migrate.");
    settings s{};
    s.blocks = static_cast<int>(given.number("--blocks", 8, {1, 1000}, "blocks of a side"));
    s.generations = static_cast<int>(given.number("--generations", 40, {0, 1'000'000}, "how many"));
    s.balanced_every =
        static_cast<int>(given.number("--balance", 10, {1, 1'000'000}, "generations between"));
    if (!given.complete(w)) return;

    boxcar::collection<block, position> torus(
        w, position{s.blocks, s.blocks},
        [&](const position& at) { return first_block(at, s.blocks); });
    examples::stopwatch watch(w);
    const result r = simulate(torus, s);
    const double seconds = watch.seconds();

    const std::vector<std::uint8_t> right = simulate_alone(s);
    const int n = s.blocks * side;
    torus.for_each_local([&](const position& at, const block& b) {
      for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
          const int place = (at[0] * side + i) * n + at[1] * side + j;
          examples::require(b.get(i, j) == (right[static_cast<std::size_t>(place)] != 0),
                            "a cell is not in the state that a serial program gives it");
        }
      }
    });
    const std::uint64_t blocks = torus.size();
    examples::require(
        blocks == static_cast<std::uint64_t>(s.blocks) * static_cast<std::uint64_t>(s.blocks),
        "a block was lost");
    if (w.rank() == 0) {
      std::printf(
          "%d generations of %s blocks in %.3f s; %s blocks have migrated; the PE with the most "
          "work had %.2f times the mean, and %.2f times after the first rebalance\n",
          s.generations, examples::with_commas(blocks).c_str(), seconds,
          examples::with_commas(r.moves).c_str(), r.uneven_before, r.uneven_after);
    }
  });
}
