#include "planner/setting_code.hpp"

namespace boxcar::detail {

std::string way_text(const conveyor_options& o) {
  if (o.way) {
    const std::string all = o.way->describe();
    return all.substr(0, all.find(':'));
  }
  switch (o.kind) {
    case conveyor_kind::simple:
      return "synchronous, one hop";
    case conveyor_kind::twohop:
      return "synchronous, two hops, groups of " + std::to_string(o.local_group);
    default:
      break;
  }
  if (o.hops == 1) return "one hop";
  return std::string(o.hops == 2 ? "two" : "three") + " hops, groups of " +
         std::to_string(o.local_group);
}

std::string code_of(const conveyor_options& o, const std::string& way) {
  const bool synchronous = o.kind == conveyor_kind::simple || o.kind == conveyor_kind::twohop;
  std::string text = "conveyor_options{.kind = conveyor_kind::";
  text += o.kind == conveyor_kind::simple   ? "simple"
          : o.kind == conveyor_kind::twohop ? "twohop"
                                            : "tensor";
  if (o.hops != 0) text += ", .hops = " + std::to_string(o.hops);
  if (o.local_group != 0) text += ", .local_group = " + std::to_string(o.local_group);
  if (o.way) text += ", .way = " + way;
  text += ", .buffer_bytes = " + std::to_string(o.buffer_bytes);
  if (!synchronous) text += ", .buffers_per_link = " + std::to_string(o.buffers_per_link);
  return text + "}";
}

}  // namespace boxcar::detail
