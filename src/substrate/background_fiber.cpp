#include "substrate/background_fiber.hpp"

#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

#include "basis/sanitizers.hpp"
#include "substrate/fiber_exceptions.hpp"
#include "substrate/progress.hpp"
#include "substrate/shared_memory/mapping.hpp"

#ifdef BOXCAR_WITH_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef BOXCAR_WITH_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace boxcar::detail {
namespace {

// Combining functions of the program may run on the stack. Pages that nothing touches take no
// memory.
constexpr std::size_t stack_bytes = std::size_t{1} << 20;
constexpr std::size_t page_bytes = 4096;

// A stack as the sanitizers know it.
struct known_stack {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake = nullptr;       // AddressSanitizer's, while the stack is left
  void* of_thread = nullptr;  // ThreadSanitizer's
};

// The two halves of a switch between stacks. The code on the stack `from` calls will_switch before
// the switch, with `is_last` if the stack is not used again. The code on the stack `to` calls
// has_switched after the switch.
void will_switch([[maybe_unused]] known_stack& from, [[maybe_unused]] const known_stack& to,
                 [[maybe_unused]] bool is_last) {
#ifdef BOXCAR_WITH_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(is_last ? nullptr : &from.fake, to.bottom, to.bytes);
#endif
#ifdef BOXCAR_WITH_THREAD_SANITIZER
  __tsan_switch_to_fiber(to.of_thread, 0);
#endif
}
void has_switched([[maybe_unused]] known_stack& from, [[maybe_unused]] const known_stack& to) {
#ifdef BOXCAR_WITH_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(to.fake, &from.bottom, &from.bytes);
#endif
}

}  // namespace

struct background_fiber::contexts {
  mapping stack = mapping::sparse(stack_bytes);
  ucontext_t inside{};
  ucontext_t outside{};
  known_stack inside_stack{};
  known_stack outside_stack{};
  fiber_exceptions inside_exceptions;
};

background_fiber::background_fiber(progress& pe, std::function<void()> function)
    : pe_(pe), function_(std::move(function)) {
  contexts_ = std::make_unique<contexts>();
  contexts& c = *contexts_;
  // A guard page below the stack is a mapping of its own. Linux limits a process to about 65,000
  // mappings, so that the stacks of a simulation have no guard pages.
  if (!progress::is_fiber()) mprotect(c.stack.data(), page_bytes, PROT_NONE);
  getcontext(&c.inside);
  c.inside.uc_stack.ss_sp = c.stack.data();
  c.inside.uc_stack.ss_size = c.stack.bytes();
  c.inside.uc_link = nullptr;
  c.inside_stack.bottom = c.stack.data();
  c.inside_stack.bytes = c.stack.bytes();
#ifdef BOXCAR_WITH_THREAD_SANITIZER
  c.inside_stack.of_thread = __tsan_create_fiber(0);
#endif
  const auto me = reinterpret_cast<std::uintptr_t>(this);
  constexpr int half = 32;
  makecontext(&c.inside, reinterpret_cast<void (*)()>(&background_fiber::enter), 2,
              static_cast<unsigned int>(me >> half), static_cast<unsigned int>(me));
  pe_.add(*this);
}

background_fiber::~background_fiber() {
  if (is_over_) return;  // `pe_` has removed the fiber, and may be gone
  pe_.remove(*this);
  is_given_up_ = true;
  while (!is_over_) pe_.resume(*this);
}

void background_fiber::release_stack() {
#ifdef BOXCAR_WITH_THREAD_SANITIZER
  __tsan_destroy_fiber(contexts_->inside_stack.of_thread);
#endif
  contexts_.reset();
}

void background_fiber::enter(unsigned int high, unsigned int low) {
  constexpr int half = 32;
  const auto me = static_cast<std::uintptr_t>(high) << half | low;
  reinterpret_cast<background_fiber*>(me)->run();
}

void background_fiber::run() noexcept {
  contexts& c = *contexts_;
  has_switched(c.outside_stack, c.inside_stack);
  try {
    if (!is_given_up_) function_();
  } catch (const given_up&) {
    // The destructor has unwound the stack.
  }
  function_ = nullptr;
  is_over_ = true;
  will_switch(c.inside_stack, c.outside_stack, true);
  setcontext(&c.outside);
}

void background_fiber::resume() {
  contexts& c = *contexts_;
  c.inside_exceptions.swap_with_thread();
#ifdef BOXCAR_WITH_THREAD_SANITIZER
  c.outside_stack.of_thread = __tsan_get_current_fiber();
#endif
  will_switch(c.outside_stack, c.inside_stack, false);
  swapcontext(&c.outside, &c.inside);
  has_switched(c.inside_stack, c.outside_stack);
  c.inside_exceptions.swap_with_thread();
  if (is_over_) release_stack();
}

void background_fiber::pause() {
  contexts& c = *contexts_;
  will_switch(c.inside_stack, c.outside_stack, false);
  swapcontext(&c.inside, &c.outside);
  has_switched(c.outside_stack, c.inside_stack);
  // A function that already unwinds gets no second exception.
  if (is_given_up_ && std::uncaught_exceptions() == 0) throw given_up();
}

}  // namespace boxcar::detail
