#include "substrate/shared_memory/unsealed_memory.hpp"

#include <utility>

namespace boxcar::detail {
namespace {

class unsealed_memory final : public shared_memory {
 public:
  unsealed_memory(std::unique_ptr<created_memory> created, std::size_t bytes)
      : data_(created->data()), bytes_(bytes), created_(std::move(created)) {}
  [[nodiscard]] std::byte* data() const override { return data_; }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  void seal() override {
    if (created_ == nullptr) return;
    sealed_ = created_->seal();
    created_ = nullptr;
  }

 private:
  std::byte* data_;  // sealing does not move the memory
  std::size_t bytes_;
  std::unique_ptr<created_memory> created_;
  std::unique_ptr<shared_memory> sealed_;
};

}  // namespace

std::unique_ptr<shared_memory> make_unsealed_memory(std::unique_ptr<created_memory> created,
                                                    std::size_t bytes) {
  return std::make_unique<unsealed_memory>(std::move(created), bytes);
}

}  // namespace boxcar::detail
