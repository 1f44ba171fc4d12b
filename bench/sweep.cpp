#include "sweep.hpp"

namespace boxcar::bench {
namespace {

// Every setting once with each value.
template <typename Value>
std::vector<setting> times(const std::vector<setting>& settings, Value setting::*option,
                           const std::vector<Value>& values) {
  std::vector<setting> all;
  all.reserve(settings.size() * values.size());
  for (const setting& s : settings) {
    for (const Value& value : values) all.emplace_back(s).*option = value;
  }
  return all;
}

}  // namespace

std::vector<setting> settings_of(const sweep& values) {
  std::vector<setting> all(1);
  all = times(all, &setting::substrate, values.substrates);
  all = times(all, &setting::pes, values.pes);
  all = times(all, &setting::nodes, values.nodes);
  all = times(all, &setting::kind, values.kinds);
  all = times(all, &setting::hops, values.hops);
  all = times(all, &setting::group, values.groups);
  all = times(all, &setting::item_bytes, values.item_bytes);
  all = times(all, &setting::buffer_bytes, values.buffer_bytes);
  all = times(all, &setting::buffers, values.buffers);
  all = times(all, &setting::items, values.items);
  all = times(all, &setting::table_bytes, values.table_bytes);
  all = times(all, &setting::file, values.files);
  all = times(all, &setting::problem_class, values.classes);
  all = times(all, &setting::columns, values.columns);
  all = times(all, &setting::scaling, values.scalings);
  all = times(all, &setting::variants, values.variants);
  all = times(all, &setting::message_bytes, values.message_bytes);
  all = times(all, &setting::round_items, values.round_items);
  return all;
}

}  // namespace boxcar::bench
