// The model of streaming: the time for items sent singly and in buffers, by the slowest stage.
#include <boxcar/model.hpp>

namespace boxcar::model {
namespace {

// Returns the share of g messages that gathering saves.
double saved_part(const streaming& s) {
  return (s.items_per_buffer - 1) / s.items_per_buffer;
}

struct pipeline {
  stage_time slowest;
  double fill_and_drain_single_seconds;
  double fill_and_drain_buffer_seconds;
};

pipeline pipeline_of(const streaming& s, bottleneck slowest) {
  const stage_time stages[] = {source_stage(s), network_stage(s), destination_stage(s)};
  const auto chosen = static_cast<int>(slowest);
  pipeline p{stages[chosen], 0, 0};
  for (int i = 0; i < 3; ++i) {
    if (i == chosen) continue;
    p.fill_and_drain_single_seconds += stages[i].single_seconds;
    p.fill_and_drain_buffer_seconds += stages[i].buffer_seconds;
  }
  return p;
}

stage_time stage(double single_seconds, double buffer_seconds, double items_per_buffer) {
  return {single_seconds, buffer_seconds, buffer_seconds / items_per_buffer};
}

}  // namespace

stage_time source_stage(const streaming& s) {
  const double g = s.items_per_buffer;
  return stage(s.produce_seconds + s.send_seconds,
               g * (s.produce_seconds + s.gather_seconds) + s.send_seconds, g);
}

stage_time network_stage(const streaming& s) {
  const double g = s.items_per_buffer;
  const auto seconds = [&s](double items) {
    return s.latency_seconds + s.seconds_per_byte * (items * s.item_bytes + s.header_bytes);
  };
  return stage(seconds(1), seconds(g), g);
}

stage_time destination_stage(const streaming& s) {
  const double g = s.items_per_buffer;
  return stage(s.receive_seconds + s.process_seconds, s.receive_seconds + g * s.process_seconds, g);
}

double total_seconds_singly(const streaming& s, bottleneck slowest) {
  const pipeline p = pipeline_of(s, slowest);
  return s.items * p.slowest.single_seconds + p.fill_and_drain_single_seconds;
}

double total_seconds_gathered(const streaming& s, bottleneck slowest) {
  const pipeline p = pipeline_of(s, slowest);
  return s.items / s.items_per_buffer * p.slowest.buffer_seconds + p.fill_and_drain_buffer_seconds;
}

bool gathering_shortens_source(const streaming& s) {
  return s.gather_seconds < saved_part(s) * s.send_seconds;
}

balance gathering_balance(const streaming& s, bottleneck slowest, double exposed_latency_seconds) {
  const double g = s.items_per_buffer;
  const double item_on_the_wire = s.seconds_per_byte * s.item_bytes;
  switch (slowest) {
    case bottleneck::source:
      return {(g - 1) * (item_on_the_wire + s.process_seconds),
              s.items * (saved_part(s) * s.send_seconds - s.gather_seconds)};
    case bottleneck::network:
      return {(g - 1) * (s.produce_seconds + s.process_seconds) + g * s.gather_seconds,
              s.items * saved_part(s) *
                  (exposed_latency_seconds + s.seconds_per_byte * s.header_bytes)};
    case bottleneck::destination:
      break;
  }
  return {(g - 1) * (s.produce_seconds + item_on_the_wire) + g * s.gather_seconds,
          s.items * saved_part(s) * s.receive_seconds};
}

double processor_seconds_saved(const streaming& s) {
  return s.items * (saved_part(s) * (s.send_seconds + s.receive_seconds) - s.gather_seconds);
}

double network_seconds_saved(const streaming& s) {
  return s.items * saved_part(s) * s.seconds_per_byte * s.header_bytes;
}

}  // namespace boxcar::model
