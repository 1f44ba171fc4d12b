#include "maps.hpp"

#include <cstddef>
#include <cstdint>
#include <nanobind/stl/string_view.h>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "key_table.hpp"
#include "map_keys.hpp"
#include "map_lookup.hpp"
#include "map_operation.hpp"
#include "map_update.hpp"
#include "pe.hpp"

namespace boxcar::python {
namespace {

using without_lock = nb::call_guard<nb::gil_scoped_release>;

void update_keys(key_table& mine, pe& here, std::string_view key_type, const read_bytes& keys,
                 std::size_t row_bytes, std::string_view operation, std::string_view type,
                 const read_bytes& values, bool is_same_value) {
  update_map(here.here(), mine, map_keys(key_type, keys, row_bytes),
             {operation, type, bytes_of(values), is_same_value});
}

std::size_t erase_keys(key_table& mine, pe& here, std::string_view key_type, const read_bytes& keys,
                       std::size_t row_bytes) {
  return erase_from_map(here.here(), mine, map_keys(key_type, keys, row_bytes));
}

void look_up_keys(const key_table& mine, pe& here, std::string_view key_type,
                  const read_bytes& keys, std::size_t row_bytes, std::size_t most_keys,
                  bool wants_values, const written_bytes& values, const written_bytes& found) {
  look_up(
      here.here(), mine, map_keys(key_type, keys, row_bytes), most_keys,
      {bytes_of(values), wants_values ? mine.value_bytes() : 0, elements_of<std::uint8_t>(found)});
}

void copy_items(const key_table& mine, std::string_view key_type, const written_bytes& keys,
                std::size_t row_bytes, const written_bytes& values) {
  if (key_type.empty()) return mine.copy(bytes_of(keys), row_bytes, bytes_of(values));
  std::vector<std::uint64_t> words(mine.size());
  mine.copy(reinterpret_cast<std::byte*>(words.data()), sizeof(std::uint64_t), bytes_of(values));
  keys_of_words(key_type, words, keys);
}

}  // namespace

void define_maps(nb::module_& m) {
  nb::class_<key_table>(m, "KeyTable")
      .def("__init__",
           [](key_table* self, bool has_rows, std::size_t value_bytes) {
             using kind = key_table::kind;
             new (self) key_table(has_rows ? kind::rows : kind::words, value_bytes);
           })
      .def("size", &key_table::size)
      .def("clear", &key_table::clear, without_lock())
      .def("longest_row", &key_table::longest_row, without_lock())
      .def("copy", &copy_items, without_lock())
      .def("probes", &key_table::probes)
      .def("update", &update_keys, without_lock())
      .def("erase", &erase_keys, without_lock())
      .def("look_up", &look_up_keys, without_lock());
  m.def("check_map_operation", [](std::string_view operation, std::string_view type) {
    static_cast<void>(map_operation_of(operation, type));
  });
}

}  // namespace boxcar::python
