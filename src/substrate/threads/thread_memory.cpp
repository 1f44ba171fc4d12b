#include "substrate/threads/thread_memory.hpp"

#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "substrate/memory_errors.hpp"
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

// The registry of memory that other threads may attach. The key is a number and not an address,
// because the creator of the memory may have failed and be gone by then.
class attachable_memory {
 public:
  std::uint64_t add(std::shared_ptr<mapping> memory) {
    const std::lock_guard lock(guard_);
    memory_.emplace(++last_, std::move(memory));
    return last_;
  }
  void remove(std::uint64_t number) {
    const std::lock_guard lock(guard_);
    memory_.erase(number);
  }
  std::shared_ptr<mapping> find(std::uint64_t number, std::size_t bytes) {
    const std::lock_guard lock(guard_);
    const auto found = memory_.find(number);
    if (found == memory_.end() || found->second->bytes() < bytes) {
      throw memory_gone("memory of " + std::to_string(bytes) + " bytes of another thread is gone");
    }
    return found->second;
  }

  // Returns the registry of this process. Never destroyed: worlds may have static storage.
  static attachable_memory& instance() {
    static auto* const one = new attachable_memory;
    return *one;
  }

 private:
  std::mutex guard_;
  std::unordered_map<std::uint64_t, std::shared_ptr<mapping>> memory_;
  std::uint64_t last_ = 0;
};

class created_here final : public created_memory {
 public:
  explicit created_here(std::size_t bytes)
      : memory_(std::make_shared<mapping>(mapping::anonymous(bytes))),
        number_(attachable_memory::instance().add(memory_)) {}
  created_here(const created_here&) = delete;
  created_here& operator=(const created_here&) = delete;
  ~created_here() override { attachable_memory::instance().remove(number_); }
  [[nodiscard]] std::byte* data() const override { return memory_->data(); }
  [[nodiscard]] memory_handle handle() const override { return {number_, 0}; }
  std::unique_ptr<shared_memory> seal() override {
    return std::make_unique<shared_mapping>(std::move(memory_));
  }

 private:
  std::shared_ptr<mapping> memory_;
  std::uint64_t number_;
};

class thread_memory final : public memory_source {
 public:
  [[nodiscard]] bool is_one_process() const override { return true; }
  std::unique_ptr<created_memory> create(std::size_t bytes) override {
    return std::make_unique<created_here>(bytes);
  }
  std::unique_ptr<shared_memory> attach(memory_handle handle, std::size_t bytes) override {
    return std::make_unique<shared_mapping>(
        attachable_memory::instance().find(handle.where, bytes));
  }
};

}  // namespace

std::unique_ptr<memory_source> make_thread_memory() {
  return std::make_unique<thread_memory>();
}

}  // namespace boxcar::detail
