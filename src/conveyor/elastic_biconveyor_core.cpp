// The sessions of a biconveyor for queries and replies of any size, and the waiting replies.
#include <utility>

#include <boxcar/detail/elastic_biconveyor_core.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

// Replies may be large: the number of waiting replies is small.
constexpr std::size_t window = 4096;

}  // namespace

elastic_biconveyor_core::elastic_biconveyor_core(const world& w, std::size_t largest_query,
                                                 std::size_t largest_reply,
                                                 const conveyor_options& options)
    : biconveyor_base(queries_, replies_, options),
      queries_(w, {largest_query, largest_query}, for_each(options)),
      replies_(w, {largest_reply, largest_reply}, for_replies(options)),
      desk_(queries_, replies_),
      arrived_(w.size()) {
  made();
}

void elastic_biconveyor_core::begin(std::unique_ptr<elastic_biconveyor_loop> loop) {
  const called_scope scope("begin of a biconveyor");
  require_dormant();
  queries_.begin();
  try {
    build_replies();
    replies_.begin();
  } catch (const error&) {
    take_back(queries_);
    throw;
  }
  loop_ = std::move(loop);
  desk_.start_session();
  begun(window);
}

void elastic_biconveyor_core::collect() {
  elastic_core& replies = replies_;
  for (auto reply = replies.pull(); reply.data != nullptr; reply = replies.pull()) {
    arrived_[static_cast<std::uint32_t>(replies.from())].push({reply.data, reply.bytes});
  }
}

std::size_t elastic_biconveyor_core::queue_bytes() const {
  std::size_t bytes = desk_.memory_bytes() + arrived_.memory_bytes();
  arrived_.for_each([&bytes](const elastic_queue& replies) { bytes += replies.memory_bytes(); });
  return bytes;
}

void elastic_biconveyor_core::release_queues() {
  desk_.release();
  arrived_.for_each([](elastic_queue& replies) { replies.release(); });
}

}  // namespace boxcar::detail
