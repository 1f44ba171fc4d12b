// The sessions of a biconveyor for queries and replies of one size, and the limit on outstanding
// queries.
#include <algorithm>

#include <boxcar/detail/biconveyor_core.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

// Returns the maximum number of outstanding queries: as many as fill some buffers in both
// directions. With more queries, replies would wait longer in queues, which would leave the cache.
std::size_t choose_window(std::size_t buffer_bytes, std::size_t query_bytes) {
  return std::clamp<std::size_t>(8 * buffer_bytes / query_bytes, 1024, 65536);
}

}  // namespace

biconveyor_core::biconveyor_core(const world& w, std::size_t query_bytes, std::size_t reply_bytes,
                                 const conveyor_options& options, const type_identity& query_type,
                                 const type_identity& reply_type)
    : biconveyor_base(queries_, replies_, options),
      queries_(w, query_bytes, for_each(options), 2, query_type),
      replies_(w, reply_bytes, for_replies(options), 2, reply_type),
      desk_(queries_, replies_),
      arrived_(w.size()) {
  made();
}

void biconveyor_core::begin(std::size_t query_bytes, std::size_t reply_bytes,
                            std::unique_ptr<biconveyor_loops> loops) {
  const called_scope scope("begin of a biconveyor");
  require_dormant();
  queries_.begin(query_bytes);
  try {
    build_replies();
    replies_.begin(reply_bytes);
  } catch (const error&) {
    take_back(queries_);
    throw;
  }
  loops_ = std::move(loops);
  if (reply_bytes != reply_bytes_) release_queues();
  reply_bytes_ = reply_bytes;
  begun(choose_window(queries_.buffer_bytes(), query_bytes));
}

std::size_t biconveyor_core::queue_bytes() const {
  std::size_t bytes = arrived_.memory_bytes();
  arrived_.for_each([&bytes](const reply_queue& replies) { bytes += replies.memory_bytes(); });
  return bytes;
}

void biconveyor_core::release_queues() {
  arrived_.for_each([](reply_queue& replies) { replies.release(); });
}

}  // namespace boxcar::detail
