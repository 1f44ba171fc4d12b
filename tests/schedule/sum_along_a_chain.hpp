// A graph in which all PEs wait for all PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

namespace boxcar::test {

enum class adding { by_the_adapter, by_a_function };

// All PEs add up the first halves of `data` of all PEs, along a chain and back.
inline schedule_builder sum_along_a_chain(const world& w, window<std::uint64_t>& data,
                                          adding how = adding::by_the_adapter) {
  const std::size_t length = data.local().size() / 2;
  const auto sum = data.local().first(length);
  const auto arrived = data.local().last(length);
  schedule_builder b(w);
  b.use(data);
  std::optional<schedule_builder::vertex> ready;
  if (w.rank() > 0) {
    const auto r = b.receive(arrived, w.rank() - 1, 1);
    b.name(r, "partial sum");
    ready = how == adding::by_the_adapter
                ? b.combine(arrived, sum)
                : b.compute(
                      [](std::span<std::uint64_t> all, std::span<std::uint64_t> more) {
                        for (std::size_t i = 0; i < all.size(); ++i) all[i] += more[i];
                      },
                      sum, arrived);
    b.depend(*ready, r);
  }
  if (w.rank() + 1 < w.size()) {
    const auto up = b.send(sum, w.rank() + 1, 1);
    if (ready) b.depend(up, *ready);
    const auto down = b.receive(sum, w.rank() + 1, 2);
    b.depend(down, up);
    ready = down;
  }
  if (w.rank() > 0) {
    const auto down = b.send(sum, w.rank() - 1, 2);
    b.depend(down, *ready);
  }
  return b;
}

}  // namespace boxcar::test
