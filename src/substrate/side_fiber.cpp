#include "substrate/side_fiber.hpp"

#include <cstdint>
#include <cstring>
#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

#include "substrate/progress.hpp"
#include "substrate/shared_memory/mapping.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BOXCAR_TELLS_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define BOXCAR_TELLS_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define BOXCAR_TELLS_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define BOXCAR_TELLS_THREAD_SANITIZER
#endif

#ifdef BOXCAR_TELLS_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef BOXCAR_TELLS_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace boxcar::detail {
namespace {

// (Functions of the program that combine may be called here. What is not touched takes no memory.)
constexpr std::size_t stack_bytes = std::size_t{1} << 20;
constexpr std::size_t page_bytes = 4096;

// What a thread knows of its exceptions, as the C++ ABI of GCC and Clang lays it out. Those that
// are thrown or handled by a fiber are its own.
struct exceptions {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

// A stack, as the sanitizers are told of it.
struct known_stack {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake = nullptr;       // AddressSanitizer's, while the stack is left
  void* of_thread = nullptr;  // ThreadSanitizer's
};

// To be called around a switch: before it by whoever leaves `from`, for ever if `is_last`; behind
// it by whoever has come back to `to`.
void will_switch([[maybe_unused]] known_stack& from, [[maybe_unused]] const known_stack& to,
                 [[maybe_unused]] bool is_last) {
#ifdef BOXCAR_TELLS_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(is_last ? nullptr : &from.fake, to.bottom, to.bytes);
#endif
#ifdef BOXCAR_TELLS_THREAD_SANITIZER
  __tsan_switch_to_fiber(to.of_thread, 0);
#endif
}
void has_switched([[maybe_unused]] known_stack& from, [[maybe_unused]] const known_stack& to) {
#ifdef BOXCAR_TELLS_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(to.fake, &from.bottom, &from.bytes);
#endif
}

}  // namespace

struct side_fiber::contexts {
  mapping stack = mapping::sparse(stack_bytes);
  ucontext_t inside{};
  ucontext_t outside{};
  known_stack inside_stack{};
  known_stack outside_stack{};
  exceptions inside_exceptions{};
};

side_fiber::side_fiber(progress& pe, std::function<void()> function)
    : pe_(pe), function_(std::move(function)) {
  contexts_ = std::make_unique<contexts>();
  contexts& c = *contexts_;
  // A process has about 65,000 mappings: too few for a page of its own below the stack of each PE
  // of a simulation.
  if (!progress::is_fiber()) mprotect(c.stack.data(), page_bytes, PROT_NONE);
  getcontext(&c.inside);
  c.inside.uc_stack.ss_sp = c.stack.data();
  c.inside.uc_stack.ss_size = c.stack.bytes();
  c.inside.uc_link = nullptr;
  c.inside_stack.bottom = c.stack.data();
  c.inside_stack.bytes = c.stack.bytes();
#ifdef BOXCAR_TELLS_THREAD_SANITIZER
  c.inside_stack.of_thread = __tsan_create_fiber(0);
#endif
  const auto me = reinterpret_cast<std::uintptr_t>(this);
  constexpr int half = 32;
  makecontext(&c.inside, reinterpret_cast<void (*)()>(&side_fiber::enter), 2,
              static_cast<unsigned int>(me >> half), static_cast<unsigned int>(me));
  pe_.add(*this);
}

side_fiber::~side_fiber() {
  pe_.remove(*this);
  is_given_up_ = true;
  while (!is_over_) pe_.resume(*this);
}

void side_fiber::release_stack() {
#ifdef BOXCAR_TELLS_THREAD_SANITIZER
  __tsan_destroy_fiber(contexts_->inside_stack.of_thread);
#endif
  contexts_.reset();
}

void side_fiber::enter(unsigned int high, unsigned int low) {
  constexpr int half = 32;
  const auto me = static_cast<std::uintptr_t>(high) << half | low;
  reinterpret_cast<side_fiber*>(me)->run();
}

void side_fiber::run() noexcept {
  contexts& c = *contexts_;
  has_switched(c.outside_stack, c.inside_stack);
  try {
    if (!is_given_up_) function_();
  } catch (const given_up&) {
    // Nothing is left of it.
  }
  function_ = nullptr;
  is_over_ = true;
  will_switch(c.inside_stack, c.outside_stack, true);
  setcontext(&c.outside);
}

void side_fiber::resume() {
  contexts& c = *contexts_;
  auto* const now = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
  exceptions outside;
  std::memcpy(&outside, now, sizeof outside);
  std::memcpy(now, &c.inside_exceptions, sizeof c.inside_exceptions);
#ifdef BOXCAR_TELLS_THREAD_SANITIZER
  c.outside_stack.of_thread = __tsan_get_current_fiber();
#endif
  will_switch(c.outside_stack, c.inside_stack, false);
  swapcontext(&c.outside, &c.inside);
  has_switched(c.inside_stack, c.outside_stack);
  std::memcpy(&c.inside_exceptions, now, sizeof c.inside_exceptions);
  std::memcpy(now, &outside, sizeof outside);
  if (is_over_) release_stack();
}

void side_fiber::pause() {
  contexts& c = *contexts_;
  will_switch(c.inside_stack, c.outside_stack, false);
  swapcontext(&c.inside, &c.outside);
  has_switched(c.outside_stack, c.inside_stack);
  // (While it unwinds it waits for nothing that must come.)
  if (is_given_up_ && std::uncaught_exceptions() == 0) throw given_up();
}

}  // namespace boxcar::detail
