#include "send_to_objects.hpp"

#include <boxcar/collection.hpp>

void send_to_objects(boxcar::world& w, std::size_t n, std::span<std::uint64_t> counts) {
  boxcar::collection_options options;
  options.stream.buffer_bytes = 1 << 16;
  boxcar::collection<std::uint64_t> objects(
      w, static_cast<std::int64_t>(counts.size()), [](std::int64_t) { return 0; }, options);
  const auto add =
      objects.on_item<std::uint64_t>([](std::uint64_t& count, std::uint64_t) { ++count; });
  const boxcar::session scope = objects.begin(boxcar::staged(1));
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t slot = i & (counts.size() - 1);
    objects.send(add, static_cast<std::int64_t>(slot), slot);
  }
  objects.done();
  objects.finish();
  objects.for_each_local([&counts](std::int64_t i, std::uint64_t count) {
    counts[static_cast<std::size_t>(i)] += count;
  });
}
