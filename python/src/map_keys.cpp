#include "map_keys.hpp"

#include <cstring>

#include "hash.hpp"
#include "key_words.hpp"

namespace boxcar::python {

map_keys::map_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes)
    : bytes_(type.empty() ? row_bytes : sizeof(std::uint64_t)) {
  if (type.empty()) {
    count_ = keys.size() / row_bytes;
    write_ = [rows = reinterpret_cast<const std::byte*>(keys.data()), row_bytes](
                 std::size_t first, std::byte* into, std::size_t stride, std::uint64_t pes,
                 std::span<std::int32_t> owners) {
      const std::byte* row = rows + first * row_bytes;
      for (std::int32_t& owner : owners) {
        std::memcpy(into, row, row_bytes);
        owner = pe_of_hash(hash_of_bytes(row, used_bytes(row, row_bytes)), pes);
        into += stride;
        row += row_bytes;
      }
    };
    return;
  }
  with_real_type(type, [&]<typename T>(T) {
    const std::span<const T> all = elements_of<T>(keys);
    count_ = all.size();
    write_ = [all](std::size_t first, std::byte* into, std::size_t stride, std::uint64_t pes,
                   std::span<std::int32_t> owners) {
      for (std::size_t i = 0; i < owners.size(); ++i) {
        const std::uint64_t word = word_of_key(all[first + i]);
        std::memcpy(into + i * stride, &word, sizeof word);
        owners[i] = pe_of_hash(hash_of_word(word), pes);
      }
    };
  });
}

void keys_of_words(std::string_view type, std::span<const std::uint64_t> words,
                   const written_bytes& keys) {
  with_real_type(type, [&]<typename T>(T) {
    const std::span<T> all = elements_of<T>(keys);
    for (std::size_t i = 0; i < words.size(); ++i) all[i] = key_of_word<T>(words[i]);
  });
}

}  // namespace boxcar::python
