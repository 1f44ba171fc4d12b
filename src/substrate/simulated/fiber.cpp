#include "substrate/simulated/fiber.hpp"

#include <memory>
#include <utility>

namespace boxcar::detail {
namespace {

// The caller of the fiber owns the stack.
struct borrowed_stack {
  void deallocate(boost::context::stack_context&) noexcept {}
};

}  // namespace

fiber::fiber(std::byte* bottom_of_stack, std::size_t stack_bytes, std::function<void()> function) {
  boost::context::stack_context stack;
  stack.size = stack_bytes;
  stack.sp = bottom_of_stack + stack_bytes;
  inside_ = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
      borrowed_stack{}, [this, run = std::move(function)](boost::context::fiber&& outside) mutable {
        outside_ = std::move(outside);
        run();
        run = nullptr;
        is_over_ = true;
        return std::move(outside_);
      });
}

void fiber::resume() {
  exceptions_.swap_with_thread();
  inside_ = std::move(inside_).resume();
  exceptions_.swap_with_thread();
}

void fiber::pause() {
  outside_ = std::move(outside_).resume();
}

}  // namespace boxcar::detail
