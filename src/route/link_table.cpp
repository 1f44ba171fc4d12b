// The chunks of a link table: a chunk is filled when a PE of the chunk is looked up first.
#include <algorithm>
#include <utility>

#include <boxcar/detail/link_table.hpp>

namespace boxcar::detail {

link_table::link_table(int pes, std::function<std::uint16_t(int)> find)
    : pes_(pes),
      find_(std::move(find)),
      chunks_((static_cast<std::size_t>(pes) + in_a_chunk - 1) / in_a_chunk) {}

const std::uint16_t* link_table::fill(std::uint32_t chunk) const {
  auto links = std::make_unique_for_overwrite<std::uint16_t[]>(in_a_chunk);
  const int first = static_cast<int>(chunk * in_a_chunk);
  const int end = std::min(first + static_cast<int>(in_a_chunk), pes_);
  for (int pe = first; pe < end; ++pe) links[static_cast<std::size_t>(pe - first)] = find_(pe);
  chunks_[chunk] = std::move(links);
  return chunks_[chunk].get();
}

std::size_t link_table::memory_bytes() const {
  const auto filled = std::ranges::count_if(chunks_, [](const auto& c) { return c != nullptr; });
  return chunks_.capacity() * sizeof(chunks_[0]) +
         static_cast<std::size_t>(filled) * in_a_chunk * sizeof(std::uint16_t);
}

}  // namespace boxcar::detail
