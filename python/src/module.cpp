// The native part of the package: the functions that Python calls. Meanings and checks are in the
// modules of the package, which are the interface of programs; here arguments are valid, and the
// text of each function only names its C++ function.
#include <cstdint>
#include <cstring>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/version.hpp>
#include <boxcar/world.hpp>

#include "append_buffers.hpp"
#include "arrays.hpp"
#include "collective_runs.hpp"
#include "communicator.hpp"
#include "counters.hpp"
#include "errors.hpp"
#include "groups.hpp"
#include "key_index.hpp"
#include "kmer_counter.hpp"
#include "kmer_text.hpp"
#include "located_indices.hpp"
#include "maps.hpp"
#include "pe.hpp"
#include "radix_sort.hpp"
#include "reductions.hpp"
#include "row_exchange.hpp"
#include "rows.hpp"
#include "sequence_parser.hpp"
#include "splitters.hpp"
#include "spread.hpp"
#include "substrate/substrate.hpp"
#include "table_gather.hpp"
#include "table_update.hpp"
#include "windows.hpp"
#include "world/implicit_world.hpp"
#include "world/record.hpp"

namespace boxcar::python {
namespace {

using without_lock = nb::call_guard<nb::gil_scoped_release>;
using lengths = std::vector<std::uint64_t>;

void exchange_to(pe& here, const read_bytes& rows, std::size_t row_bytes, const read_bytes& to,
                 const lengths& arriving, const written_bytes& into) {
  std::vector<std::uint64_t> next = first_of_each(arriving);
  exchange_rows(here.here(), bytes_of(rows), row_bytes, elements_of<std::int32_t>(to), "exchange",
                put_in_order(next, row_bytes, bytes_of(into)));
}

void exchange_grouped(pe& here, const read_bytes& rows, std::size_t row_bytes,
                      const lengths& counts, const lengths& arriving, const written_bytes& into) {
  std::vector<std::uint64_t> next = first_of_each(arriving);
  exchange_grouped_rows(here.here(), bytes_of(rows), row_bytes, counts, "exchange",
                        put_in_order(next, row_bytes, bytes_of(into)));
}

void gather_table(pe& here, std::string_view kind, const lengths& parts, std::string_view type,
                  const read_bytes& indices, std::size_t most_indices, const read_bytes& table,
                  std::size_t row_bytes, const written_bytes& into) {
  const spread s(spread_kind_of(kind), parts);
  gather_rows(here.here(), indices_in_table(s, type, indices), most_indices,
              {bytes_of(table), row_bytes}, bytes_of(into));
}

void update_table(pe& here, std::string_view kind, const lengths& parts, std::string_view type,
                  const read_bytes& indices, std::string_view operation,
                  std::string_view element_type, const read_bytes& values, std::size_t row_bytes,
                  const written_bytes& table) {
  const spread s(spread_kind_of(kind), parts);
  update_rows(here.here(), indices_in_table(s, type, indices),
              {operation, element_type, row_bytes, bytes_of(values), bytes_of(table)});
}

void own_indices(std::string_view kind, const lengths& parts, std::uint64_t rank,
                 const written_bytes& into) {
  const spread s(spread_kind_of(kind), parts);
  const std::span<std::uint64_t> indices = elements_of<std::uint64_t>(into);
  for (std::size_t slot = 0; slot < indices.size(); ++slot) indices[slot] = s.index_of(rank, slot);
}

// Returns the numbers of all PEs, if all PEs give the same `what`, and none has a problem.
std::optional<lengths> agree(pe& here, std::uint64_t what, bool has_problem, std::uint64_t number) {
  struct word {
    std::uint64_t what;
    std::uint64_t number;
    std::uint64_t has_problem;
  };
  const std::vector<word> all = here.here().all_gather(word{what, number, has_problem ? 1U : 0U});
  lengths numbers;
  for (const word& w : all) {
    if (w.what != what || w.has_problem != 0) return std::nullopt;
    numbers.push_back(w.number);
  }
  return numbers;
}

std::string string_of(nb::bytes text) {
  return {static_cast<const char*>(text.data()), text.size()};
}
nb::bytes python_bytes(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

nb::bytes broadcast_text(pe& here, nb::bytes text, int root) {
  std::string value = string_of(text);
  {
    const nb::gil_scoped_release release;
    value = here.here().broadcast(std::move(value), root);
  }
  return python_bytes(value);
}

nb::list all_gather_texts(pe& here, nb::bytes text) {
  const std::string mine = string_of(text);
  std::vector<std::string> all;
  {
    const nb::gil_scoped_release release;
    all = here.here().all_gather(mine);
  }
  nb::list result;
  for (const std::string& each : all) result.append(python_bytes(each));
  return result;
}

std::optional<pe> split(pe& here, int color, int key) {
  auto part = here.here().split(color, key);
  if (!part) return std::nullopt;
  return std::optional<pe>(std::in_place, *std::move(part));
}

std::string_view text_of(const read_bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void define_kmers(nb::module_& m) {
  nb::class_<sequence_parser>(m, "SequenceParser")
      .def(nb::init<std::string_view, bool, bool>())
      .def(
          "parse",
          [](sequence_parser& p, const read_bytes& text, kmer_counter& into) {
            return p.parse(text_of(text), into.letters());
          },
          without_lock())
      .def("finish", &sequence_parser::finish)
      .def("parse_overlap",
           [](sequence_parser& p, const read_bytes& text, std::size_t most, kmer_counter& into) {
             return p.parse_overlap(text_of(text), most, into.letters());
           })
      .def("sequences", &sequence_parser::sequences);

  nb::class_<kmer_counter>(m, "KmerCounter")
      .def(nb::new_(&make_kmer_counter))
      .def("waiting", [](kmer_counter& c) { return c.letters().size(); })
      .def(
          "count", [](kmer_counter& c, pe& p) { c.count(p.here()); }, without_lock())
      .def("sent", &kmer_counter::sent)
      .def("size", &kmer_counter::size)
      .def(
          "spectrum",
          [](const kmer_counter& c) {
            const auto spectrum = c.spectrum();
            return std::vector<std::pair<std::uint64_t, std::uint64_t>>(spectrum.begin(),
                                                                        spectrum.end());
          },
          without_lock())
      .def(
          "copy",
          [](const kmer_counter& c, std::uint64_t min_count, const written_bytes& kmers,
             const written_bytes& counts) {
            c.copy(min_count, elements_of<std::uint64_t>(kmers), elements_of<std::int64_t>(counts));
          },
          without_lock())
      .def(
          "find",
          [](const kmer_counter& c, const read_bytes& kmers, const written_bytes& counts) {
            c.find(elements_of<std::uint64_t>(kmers), elements_of<std::int64_t>(counts));
          },
          without_lock());

  m.def(
      "encode_kmers",
      [](const read_bytes& text, int k, const written_bytes& kmers) {
        return encode_kmers(text_of(text), k, elements_of<std::uint64_t>(kmers));
      },
      without_lock());
  m.def(
      "decode_kmers",
      [](const read_bytes& kmers, int k, const written_bytes& text) {
        decode_kmers(elements_of<std::uint64_t>(kmers), k, elements_of<char>(text));
      },
      without_lock());
  m.def(
      "make_kmers_canonical",
      [](int k, const written_bytes& kmers) {
        make_kmers_canonical(k, elements_of<std::uint64_t>(kmers));
      },
      without_lock());
  m.def("kmer_lines", [](const read_bytes& kmers, const read_bytes& counts, int k, bool as_fasta) {
    return python_bytes(kmer_lines(elements_of<std::uint64_t>(kmers),
                                   elements_of<std::int64_t>(counts), k, as_fasta));
  });
}

pe started_in() {
  return pe(boxcar::detail::implicit_world());
}

}  // namespace

NB_MODULE(_native, m) {
  translate_errors();
  m.attr("version") = version;
  m.def("started_in", &started_in, without_lock());
  m.def(
      "world_of_communicator",
      [](const std::string& mpi, std::uintptr_t address) {
        return pe(world_of_communicator(mpi, address));
      },
      without_lock());

  nb::class_<pe>(m, "PE")
      .def("rank", [](pe& p) { return p.here().rank(); })
      .def("size", [](pe& p) { return p.here().size(); })
      .def("node", [](pe& p) { return p.here().node(); })
      .def("nodes", [](pe& p) { return p.here().nodes(); })
      .def("node_of", [](pe& p, int other) { return p.here().node_of(other); })
      .def("local_rank", [](pe& p) { return p.here().local_rank(); })
      .def("local_size", [](pe& p) { return p.here().local_size(); })
      .def("substrate", [](pe& p) { return std::string(p.here().substrate_name()); })
      .def("name_of", [](pe& p, int other) { return p.here().substrate()->pe_name(other); })
      .def("fail",
           [](pe& p, const std::string& message) { return p.here().substrate()->fail(message); })
      .def("leave", &pe::leave, without_lock())
      .def(
          "write_trace",
          [](pe& p, const std::string& path) {
            return boxcar::detail::write_trace_so_far(*p.here().substrate(), path);
          },
          without_lock())
      .def(
          "barrier", [](pe& p) { p.here().barrier(); }, without_lock())
      .def("split", &split, without_lock())
      .def("broadcast", &broadcast_text)
      .def("all_gather", &all_gather_texts)
      .def("agree", &agree, without_lock())
      .def(
          "reduce",
          [](pe& p, std::string_view operation, std::string_view type,
             const written_bytes& values) { reduce_array(p.here(), operation, type, values); },
          without_lock())
      .def(
          "scan",
          [](pe& p, std::string_view operation, std::string_view type,
             const written_bytes& values) { scan_array(p.here(), operation, type, values); },
          without_lock())
      .def(
          "exclusive_scan",
          [](pe& p, std::string_view operation, std::string_view type, const written_bytes& values,
             const read_bytes& first) {
            exclusive_scan_array(p.here(), operation, type, values, first);
          },
          without_lock())
      .def(
          "exchange_counts",
          [](pe& p, const lengths& counts) { return exchange_counts(p.here(), counts); },
          without_lock())
      .def("exchange", &exchange_to, without_lock())
      .def("exchange_grouped", &exchange_grouped, without_lock())
      .def("gather", &gather_table, without_lock())
      .def("update", &update_table, without_lock());

  define_windows(m);
  define_counters(m);
  define_append_buffers(m);
  define_collective_runs(m);
  define_maps(m);

  m.def("first_out_of_range", &first_out_of_range, without_lock());
  m.def(
      "count_destinations",
      [](const read_bytes& to, std::size_t pes) {
        lengths counts(pes);
        count_destinations(elements_of<std::int32_t>(to), counts);
        return counts;
      },
      without_lock());
  m.def(
      "place_answers",
      [](const read_bytes& rows, std::size_t row_bytes, const read_bytes& to, const lengths& counts,
         const written_bytes& into) {
        place_answers(rows, row_bytes, elements_of<std::int32_t>(to), counts, into);
      },
      without_lock());
  m.def("own_indices", &own_indices, without_lock());
  m.def("length_of_part", &spread::length_of);
  m.def("check_spread", [](std::string_view name) { spread_kind_of(name); });
  m.def("check_update", &check_update);
  m.def(
      "spread_keys",
      [](std::string_view type, const read_bytes& keys, std::size_t row_bytes, std::uint64_t pes,
         const written_bytes& to) {
        spread_keys(type, keys, row_bytes, pes, elements_of<std::int32_t>(to));
      },
      without_lock());
  m.def(
      "hash_keys",
      [](std::string_view type, const read_bytes& keys, std::size_t row_bytes,
         const written_bytes& hashes) {
        hash_keys(type, keys, row_bytes, elements_of<std::uint64_t>(hashes));
      },
      without_lock());

  m.def("sort_numbers", &sort_numbers, without_lock());
  m.def(
      "split_numbers",
      [](std::string_view type, const read_bytes& numbers, const read_bytes& splitters,
         const read_bytes& places, const written_bytes& to) {
        return split_numbers(type, numbers, {splitters, elements_of<std::int64_t>(places)},
                             elements_of<std::int32_t>(to));
      },
      without_lock());
  m.def(
      "group_numbers",
      [](std::string_view type, const read_bytes& numbers, const read_bytes& splitters,
         const read_bytes& places, const written_bytes& into) {
        return group_numbers(type, numbers, {splitters, elements_of<std::int64_t>(places)}, into);
      },
      without_lock());
  m.def(
      "order_numbers",
      [](std::string_view type, const read_bytes& numbers, const written_bytes& order) {
        order_numbers(type, numbers, elements_of<std::int64_t>(order));
      },
      without_lock());

  nb::class_<key_index>(m, "KeyIndex")
      .def(nb::init<std::string_view, std::size_t>())
      .def("size", &key_index::size)
      .def("probes", &key_index::probes)
      .def(
          "add",
          [](key_index& k, const read_bytes& keys, const written_bytes& ids) {
            k.add(keys, elements_of<std::uint32_t>(ids));
          },
          without_lock())
      .def(
          "find",
          [](const key_index& k, const read_bytes& keys, const written_bytes& ids) {
            k.find(keys, elements_of<std::uint32_t>(ids));
          },
          without_lock())
      .def("firsts", [](const key_index& k, const written_bytes& into) {
        std::memcpy(into.data(), k.firsts().data(), k.firsts().size_bytes());
      });
  m.def(
      "combine_groups",
      [](std::string_view operation, std::string_view from, std::string_view to,
         const read_bytes& values, const read_bytes& ids, const written_bytes& into) {
        combine_groups(operation, from, to, values, elements_of<std::uint32_t>(ids), into);
      },
      without_lock());
  m.def(
      "count_groups",
      [](const read_bytes& ids, const written_bytes& counts) {
        count_groups(elements_of<std::uint32_t>(ids), elements_of<std::int64_t>(counts));
      },
      without_lock());
  m.def(
      "order_groups",
      [](const read_bytes& ids, const written_bytes& order, const written_bytes& starts) {
        order_groups(elements_of<std::uint32_t>(ids), elements_of<std::int64_t>(order),
                     elements_of<std::int64_t>(starts));
      },
      without_lock());

  define_kmers(m);
}

}  // namespace boxcar::python
