#include "substrate/pe_helper.hpp"

#include "substrate/progress.hpp"
#include "substrate/progress_thread.hpp"

namespace boxcar::detail {

std::shared_ptr<pe_helper> pe_helper::of(progress& pe) {
  auto helper = pe.helper.lock();
  if (helper == nullptr) {
    helper = std::make_shared<pe_helper>();
    pe.helper = helper;
  }
  return helper;
}

pe_helper::pe_helper() : thread_(progress_thread::of_this_process()) {
  thread_->serve(*this);
}

pe_helper::~pe_helper() {
  const lock l = keep_out();
  thread_->leave(*this);
}

void pe_helper::add(background_work& w) {
  const lock l = keep_out();
  works_.push_back(&w);
  thread_->look_at_once(*this);
}

void pe_helper::remove(background_work& w) {
  const lock l = keep_out();
  std::erase(works_, &w);
}

bool pe_helper::work() {
  bool active = false;
  for (background_work* const w : works_) active = w->work() || active;
  return active;
}

void pe_helper::call_back() {
  is_left_alone_ = false;
  thread_->look_at_once(*this);
}

}  // namespace boxcar::detail
