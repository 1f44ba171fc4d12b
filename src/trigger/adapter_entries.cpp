// The entries of an adapter's match lists: made, looked up and released by the program.
#include <boxcar/error.hpp>

#include "trigger/adapter_state.hpp"
#include "trigger/held_adapter.hpp"

namespace boxcar::detail {

match_entry adapter_state::make_entry(const entry_record& like) {
  const held h(*this);
  if (h->head().free_entries.empty()) {
    throw argument_error("make_entry: all " + std::to_string(limits.entries) +
                         " entries of the adapter are in use; release some, or give a larger "
                         "adapter_limits::entries");
  }
  const record_name made = h->take_entry(like);
  return {this, made.index, made.generation};
}

entry_record adapter_state::entry(const record_name& name) {
  const held h(*this);
  return *h->find_entry(name);
}

void adapter_state::release_entry(const record_name& name) {
  {
    const held h(*this);
    h->retire_entry(name.index);
  }
  wait_for_writers(name.index);
  const held h(*this);
  h->give_back_entry(name.index);
}

}  // namespace boxcar::detail
