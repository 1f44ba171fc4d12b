// The table of the ends of values in the file of a bag is read and checked.
#include <algorithm>
#include <span>

#include <boxcar/detail/bag_file.hpp>

namespace boxcar::detail {

std::vector<std::uint64_t> read_ends(shared_file& file, std::uint64_t first, std::uint64_t count) {
  constexpr std::uint64_t entry = sizeof(std::uint64_t);
  if (count == 0) return {};
  std::vector<std::uint64_t> ends(count + 1);  // the first value begins at 0
  const std::uint64_t skipped = first == 0 ? 1 : 0;
  const bool is_read = file.read((first + skipped - 1) * entry,
                                 std::as_writable_bytes(std::span(ends).subspan(skipped)));
  if (!is_read) return {};
  const std::uint64_t data_bytes = file.bytes() - file.elements() * entry;
  const bool is_last = first + count == file.elements();
  if (!std::ranges::is_sorted(ends) || ends.back() > data_bytes ||
      (is_last && ends.back() != data_bytes)) {
    file.object("the ends of the values are not in order: the file was changed; save it again");
    return {};
  }
  return ends;
}

}  // namespace boxcar::detail
