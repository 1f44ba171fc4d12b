#include "substrate/progress_context.hpp"

#include "substrate/progress.hpp"
#include "substrate/progress_thread.hpp"

namespace boxcar::detail {

std::shared_ptr<progress_context> progress_context::of(progress& pe) {
  auto thread_context = pe.thread_context.lock();
  if (thread_context == nullptr) {
    thread_context = std::make_shared<progress_context>();
    pe.thread_context = thread_context;
  }
  return thread_context;
}

progress_context::progress_context() : thread_(progress_thread::of_this_process()) {
  thread_->serve(*this);
}

progress_context::~progress_context() {
  const lock l = acquire_lock();
  thread_->leave(*this);
}

void progress_context::add(background_task& w) {
  const lock l = acquire_lock();
  works_.push_back(&w);
  thread_->look_at_once(*this);
}

void progress_context::remove(background_task& w) {
  const lock l = acquire_lock();
  std::erase(works_, &w);
}

bool progress_context::work() {
  bool active = false;
  for (background_task* const w : works_) active = w->work() || active;
  return active;
}

void progress_context::call_back() {
  is_idle_ = false;
  thread_->look_at_once(*this);
}

}  // namespace boxcar::detail
