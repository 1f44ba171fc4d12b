// The file of a bag. Plain values lie one behind the other. Other values are preceded by a table of
// 8 bytes for each value, which says where the bytes of the value end: any number of PEs can divide
// the values evenly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <boxcar/detail/bag_values.hpp>
#include <boxcar/detail/element_placement.hpp>
#include <boxcar/detail/shared_file.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// About as many bytes are read at once.
inline constexpr std::uint64_t bag_piece_bytes = std::uint64_t{1} << 20;

template <typename T>
[[nodiscard]] file_contents contents_of_bag(std::uint64_t values, std::uint64_t bytes) {
  return {"bag", identity_of<T>, plain<T> ? sizeof(T) : 0, values, bytes};
}

// Collective.
template <typename T>
void save_bag(world& w, const std::string& name, std::span<const T> values) {
  const std::uint64_t here = values.size();
  const std::uint64_t all = w.reduce(here);
  const std::uint64_t first = w.exclusive_scan(here, 0);
  if constexpr (plain<T>) {
    auto file = shared_file::create(w, name, contents_of_bag<T>(all, all * sizeof(T)));
    file.write(first * sizeof(T), std::as_bytes(values));
    file.close();
  } else {
    constexpr std::uint64_t entry = sizeof(std::uint64_t);
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> ends;
    ends.reserve(values.size());
    for (const T& value : values) {
      write_value(bytes, value);
      ends.push_back(bytes.size());
    }
    const std::uint64_t all_bytes = w.reduce(std::uint64_t{bytes.size()});
    const std::uint64_t first_byte = w.exclusive_scan(std::uint64_t{bytes.size()}, 0);
    for (std::uint64_t& end : ends) end += first_byte;
    auto file = shared_file::create(w, name, contents_of_bag<T>(all, all * entry + all_bytes));
    file.write(first * entry, std::as_bytes(std::span(ends)));
    file.write(all * entry + first_byte, bytes);
    file.close();
  }
}

// Reads the ends of the values from `first` on, preceded by the end of the value before. Returns an
// empty vector if there is a problem, which is kept by the file.
[[nodiscard]] std::vector<std::uint64_t> read_ends(shared_file& file, std::uint64_t first,
                                                   std::uint64_t count);

// Reads values of any size.
template <typename T>
void read_values(shared_file& file, std::uint64_t first, std::uint64_t count,
                 std::vector<T>& values) {
  const std::vector<std::uint64_t> ends = read_ends(file, first, count);
  const std::uint64_t table = file.elements() * sizeof(std::uint64_t);
  std::vector<std::byte> bytes;
  for (std::size_t i = 1; i < ends.size();) {
    const std::uint64_t begin = ends[i - 1];
    std::size_t behind = i + 1;
    while (behind != ends.size() && ends[behind] - begin <= bag_piece_bytes) ++behind;
    bytes.resize(ends[behind - 1] - begin);
    if (!file.read(table + begin, bytes)) return;
    for (; i != behind; ++i) {
      const std::span<const std::byte> all = bytes;
      try {
        values.push_back(value_in<T>(all.subspan(ends[i - 1] - begin, ends[i] - ends[i - 1])));
      } catch (const std::exception& e) {
        return file.object(std::string("the bytes of a value cannot be read: ") + e.what());
      }
    }
  }
}

// Collective. Returns the PE's share of the values in a file.
template <typename T>
[[nodiscard]] std::vector<T> load_bag(const world& w, const std::string& name) {
  auto file = shared_file::open(w, name, contents_of_bag<T>(0, 0));
  const std::uint64_t first = first_of_even_block(file.elements(), w.size(), w.rank());
  const std::uint64_t end = first_of_even_block(file.elements(), w.size(), w.rank() + 1);
  std::vector<T> values;
  if constexpr (plain<T>) {
    values.resize(end - first);
    file.read(first * sizeof(T), std::as_writable_bytes(std::span(values)));
  } else {
    values.reserve(end - first);
    read_values(file, first, end - first, values);
  }
  file.close();
  return values;
}

}  // namespace boxcar::detail
