// Saves the objects of a collection to a file, and loads the objects on any number of PEs, by any
// mapping: a checkpoint of a program, and the restart.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <boxcar/detail/collection_core.hpp>
#include <boxcar/detail/index_text.hpp>
#include <boxcar/detail/record_file.hpp>
#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

// An object as it is saved, with its load and its bytes. Only the home of the object reads the
// bytes.
template <typename Index>
using saved_object = std::tuple<Index, float, std::vector<std::byte>>;

template <typename T, typename Index>
inline constexpr type_identity saved_object_type = identity_of<std::pair<Index, T>>;

// Collective.
template <typename T, typename Index>
void save_objects(collection_core<T, Index>& core, const std::string& name) {
  std::vector<std::byte> bytes;
  record_writer::save(core.the_world, name, "collection", saved_object_type<T, Index>,
                      [&](record_writer& out) {
                        core.objects().for_each([&](const collection_object<Index>& o) {
                          bytes.clear();
                          byte_writer to(bytes);
                          core.pack(o, to);
                          out.add(o.index, o.load, bytes);
                        });
                      });
}

// Makes an object of a record, at its home.
template <typename T, typename Index>
void restore_object(collection_core<T, Index>& core, const saved_object<Index>& saved) {
  const auto& [index, load, bytes] = saved;
  if (core.objects().find(index) != nullptr) {
    throw argument_error("index " + text_of_index(index) + " is in the file twice");
  }
  byte_reader in(bytes, "an object of a collection");
  collection_object<Index>& o = core.objects().add(core.unpack(index, in));
  in.expect_end();
  o.load = load;
}

// Collective. Precondition: the collection has no objects.
template <typename T, typename Index>
void load_objects(collection_core<T, Index>& core, const std::string& name) {
  record_reader in(core.the_world, name, "collection", saved_object_type<T, Index>);
  std::string problem;
  exchange<saved_object<Index>>(
      core.the_world,
      [&](auto& out) {
        in.for_each<saved_object<Index>>([&](const saved_object<Index>& saved) {
          const Index& index = std::get<0>(saved);
          const int home = core.placement().home(index);
          if (home < 0 || home >= core.the_world.size()) {
            throw argument_error("index " + text_of_index(index) +
                                 " has no home: give a mapping with homes for all indices");
          }
          out.push(saved, home);
        });
      },
      [&](const saved_object<Index>& saved) {
        try {
          restore_object(core, saved);
        } catch (const std::exception& e) {
          problem = std::string("an object cannot be loaded: ") + e.what();
        }
      });
  if (!problem.empty()) in.object(std::move(problem));
  in.close();
}

}  // namespace boxcar::detail
