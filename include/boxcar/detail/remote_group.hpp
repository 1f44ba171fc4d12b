// The functions of a group on one PE, and the stream that carries their calls. The stream is made
// when the first session begins: then all functions are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include <boxcar/detail/dispatch_stream.hpp>
#include <boxcar/detail/remote_session.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

class remote_group {
 public:
  // Precondition: the world exists until the first session begins.
  remote_group(const world& w, const stream_options& options);
  remote_group(const remote_group&) = delete;
  remote_group& operator=(const remote_group&) = delete;

  // Adds a function, and returns its number. `handler` is the receiver of the kind.
  std::uint8_t add(const message_kind& kind, std::shared_ptr<void> handler,
                   const std::type_info& function);

  // Collective, as `begin` of streams.
  void begin(const termination& ending);

  [[nodiscard]] dispatch_stream& stream() {
    if (!stream_) [[unlikely]]
      refuse_without_stream();
    return *stream_;
  }
  [[nodiscard]] remote_session& session() {
    if (!session_) refuse_without_stream();
    return *session_;
  }
  [[nodiscard]] bool on() const { return session_ && session_->on(); }

 private:
  [[noreturn]] static void refuse_without_stream();

  const world& world_;
  stream_options options_;
  std::vector<message_kind> kinds_;
  std::vector<std::shared_ptr<void>> handlers_;
  std::string names_;
  std::optional<dispatch_stream> stream_;  // nullopt: no session has begun yet
  std::optional<remote_session> session_;
};

}  // namespace boxcar::detail
