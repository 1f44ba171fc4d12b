// The work of a PE on a stage of a route in a session.
#pragma once

namespace boxcar::detail {

// In nanoseconds.
struct stage_work {
  double fill = 0;  // put packets into the buffers of the stage
  double send = 0;
  double take = 0;     // receive buffers and return them
  double pull = 0;     // on the last stage
  double adapter = 0;  // for buffers of this PE
  double bytes = 0;    // sent to other nodes
  [[nodiscard]] double core() const { return fill + send + take + pull; }

  stage_work& operator+=(const stage_work& o) {
    fill += o.fill;
    send += o.send;
    take += o.take;
    pull += o.pull;
    adapter += o.adapter;
    bytes += o.bytes;
    return *this;
  }
  friend stage_work operator*(double part, const stage_work& w) {
    return {part * w.fill, part * w.send,    part * w.take,
            part * w.pull, part * w.adapter, part * w.bytes};
  }
};

}  // namespace boxcar::detail
