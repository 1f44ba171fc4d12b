#include "substrate/threads/thread_memory.hpp"

#include <utility>

#include <boxcar/error.hpp>

#include "substrate/shared_memory/mapping.hpp"

namespace boxcar::detail {
namespace {

class shared_mapping final : public shared_memory {
 public:
  explicit shared_mapping(std::shared_ptr<mapping> memory) : memory_(std::move(memory)) {}
  [[nodiscard]] std::byte* data() const override { return memory_->data(); }
  [[nodiscard]] std::size_t bytes() const override { return memory_->bytes(); }

 private:
  std::shared_ptr<mapping> memory_;
};

class created_here final : public created_memory {
 public:
  explicit created_here(std::size_t bytes)
      : memory_(std::make_shared<mapping>(mapping::anonymous(bytes))) {}
  [[nodiscard]] std::byte* data() const override { return memory_->data(); }
  [[nodiscard]] memory_handle handle() const override {
    return {reinterpret_cast<std::uintptr_t>(&memory_), 0};
  }
  std::unique_ptr<shared_memory> seal() override {
    return std::make_unique<shared_mapping>(std::move(memory_));
  }

 private:
  std::shared_ptr<mapping> memory_;
};

class thread_memory final : public memory_source {
 public:
  std::unique_ptr<created_memory> create(std::size_t bytes) override {
    return std::make_unique<created_here>(bytes);
  }
  std::unique_ptr<shared_memory> attach(memory_handle handle, std::size_t) override {
    return std::make_unique<shared_mapping>(
        *reinterpret_cast<const std::shared_ptr<mapping>*>(handle.where));
  }
};

}  // namespace

std::unique_ptr<memory_source> make_thread_memory() {
  return std::make_unique<thread_memory>();
}

}  // namespace boxcar::detail
