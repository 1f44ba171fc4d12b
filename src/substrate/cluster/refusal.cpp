#include "substrate/cluster/refusal.hpp"

namespace boxcar::detail {
namespace {

// Never destroyed: the library may refuse a call at the very end.
std::weak_ptr<const std::string>& latest() {
  thread_local auto* only = new std::weak_ptr<const std::string>;
  return *only;
}

}  // namespace

void note_refusal(const refusal_text& text) {
  latest() = text;
}

std::string refusal_under_way() {
  const refusal_text text = latest().lock();
  return text == nullptr ? std::string() : *text;
}

}  // namespace boxcar::detail
