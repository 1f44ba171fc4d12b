// The handle of a started collective, `collective_run`: test, wait, explain.
#include <utility>

#include <boxcar/collective_run.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "collective/collective_channel.hpp"

namespace boxcar {

collective_run::collective_run(std::shared_ptr<detail::collective_channel> channel,
                               std::uint64_t number)
    : channel_(std::move(channel)), number_(number) {}
collective_run::collective_run(collective_run&& other) noexcept = default;
collective_run& collective_run::operator=(collective_run&& other) noexcept {
  if (this == &other) return *this;
  if (channel_ != nullptr) channel_->abandon(number_);
  channel_ = std::move(other.channel_);
  number_ = other.number_;
  return *this;
}
collective_run::~collective_run() {
  if (channel_ != nullptr) channel_->abandon(number_);
}

detail::collective_channel& collective_run::channel(const char* operation) const {
  if (channel_ != nullptr) return *channel_;
  throw contract_error(std::string(operation) +
                       ": the run has been moved from; use the handle it was moved to");
}

bool collective_run::test() {
  return channel("test").test(number_);
}
void collective_run::wait() {
  const detail::called_scope scope("wait for a collective");
  channel("wait").wait(number_);
}
const void* collective_run::owner() const {
  return channel("co_await").owner();
}
std::string collective_run::explain() const {
  return channel("explain").explain();
}

}  // namespace boxcar
