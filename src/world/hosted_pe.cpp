#include "world/hosted_pe.hpp"

#include <utility>

#include <boxcar/run.hpp>

#include "substrate/progress.hpp"

namespace boxcar::detail {

hosted_pe::hosted_pe(int rank, std::function<std::unique_ptr<substrate>()> join)
    : rank_(rank), join_(std::move(join)) {
  progress::pointer(pe_pointer::host) = this;
}

hosted_pe::~hosted_pe() {
  if (implicit_ != nullptr) implicit_->substrate()->depart();
  progress::pointer(pe_pointer::host) = nullptr;
}

hosted_pe* hosted_pe::current() {
  return static_cast<hosted_pe*>(progress::pointer(pe_pointer::host));
}

world& hosted_pe::implicit_world() {
  if (implicit_ == nullptr) implicit_ = new world(boxcar::join());
  return *implicit_;
}

}  // namespace boxcar::detail
