// The count of the loops over a local table, and the errors of changes during a loop.
#include <string>

#include <boxcar/detail/local_table_loops.hpp>
#include <boxcar/error.hpp>

#include "stream/active_streams.hpp"

namespace boxcar::detail {

local_table_loops::scope::scope(local_table_loops& all)
    : all_(all), is_in_handler_(active_streams::of_this_pe().handling()) {
  ++all_.count_;
  if (!is_in_handler_) ++all_.outside_count_;
}

local_table_loops::scope::~scope() {
  --all_.count_;
  if (!is_in_handler_) --all_.outside_count_;
}

void local_table_loops::refuse(const char* change) {
  throw contract_error(std::string(change) +
                       " while for_each_local runs over the same table, whose entries would move: "
                       "in for_each_local, gather what to send or to change in a vector, and send "
                       "or change it behind the loop (messages arrive whenever the loop waits, and "
                       "`tell` and `insert` may wait)");
}

void local_table_loops::refuse_in_handler(const char* change) {
  if (active_streams::of_this_pe().handling()) refuse(change);
}

}  // namespace boxcar::detail
