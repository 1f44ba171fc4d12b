// The outbox holds the messages of a PE that have not been sent yet: a batch for each destination.
// The function aml_send of the header puts messages into open batches; everything else is here.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <boxcar/aml-c/aml.h>

#include "aml-c/message_batch.hpp"

namespace boxcar::aml_c {

class outbox {
 public:
  using sender = std::function<void(std::span<const batch_unit> batch, int pe)>;

  outbox(int rank, int pes, sender send);

  [[nodiscard]] boxcar_aml_lane* lanes() { return lanes_.data(); }
  // Puts a message into the batch to `pe`. Sends the batch first if it has no room; a message
  // larger than a batch travels alone.
  void put(const void* data, int type, int length, int pe);
  // Sends all batches. Returns false if there were none.
  bool flush();

 private:
  using batch_memory = std::unique_ptr<std::byte[]>;

  [[nodiscard]] batch_memory take_memory();
  void open(int pe);
  void end_run(boxcar_aml_lane& lane);
  // Sends the batch to `pe`. Handlers may run meanwhile, and open the next batch to `pe`.
  void ship(int pe);
  void send_alone(const void* data, const run_head& run, int pe);

  int rank_;
  sender send_;
  std::size_t batch_bytes_;
  std::vector<boxcar_aml_lane> lanes_;
  std::vector<batch_memory> batches_;  // by destination; null: no batch is open
  std::vector<batch_memory> spare_;
  std::vector<int> listed_;  // destinations that may have an open batch
  std::vector<bool> is_listed_;
};

}  // namespace boxcar::aml_c
