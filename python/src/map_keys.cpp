#include "map_keys.hpp"

#include "hashed_keys.hpp"

namespace boxcar::python {

map_keys::map_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes) {
  with_keys(type, keys, row_bytes, 0, [this](const auto& all) {
    count_ = all.count();
    bytes_ = all.sent_bytes();
    write_ = [all](std::size_t first, std::byte* into, std::size_t stride, std::uint64_t pes,
                   std::span<std::int32_t> owners) {
      for (std::size_t i = 0; i < owners.size(); ++i) {
        all.write(first + i, into + i * stride);
        owners[i] = pe_of_hash(all.hash(first + i), pes);
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
