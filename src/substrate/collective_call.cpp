#include "substrate/collective_call.hpp"

#include <string_view>

namespace boxcar::detail {

const char* name_of(collective_kind kind) {
  switch (kind) {
    case collective_kind::none:
      return "nothing";
    case collective_kind::barrier:
      return "barrier";
    case collective_kind::broadcast:
      return "broadcast";
    case collective_kind::all_gather:
      return "all_gather";
    case collective_kind::all_reduce:
      return "reduce";
    case collective_kind::split:
      return "split";
    case collective_kind::share_memory:
      return "the allocation of shared memory";
    case collective_kind::gather:
      return "gather";
    case collective_kind::scan:
      return "scan";
  }
  return "an unknown collective";
}

collective_call::collective_call(collective_kind what, std::uint64_t bytes_of_each, int root_pe,
                                 const type_identity& of)
    : kind(what), root(static_cast<std::uint32_t>(root_pe)), bytes(bytes_of_each), type(of.hash) {
  if (type != 0) of.name.copy(type_name.data(), type_name.size() - 1);
}

collective_call call_of_gather(int root, const type_identity& of) {
  if (root < 0) return {collective_kind::all_gather, 0, 0, of};
  return {collective_kind::gather, 0, root, of};
}

std::string describe(const collective_call& call) {
  std::string text = name_of(call.kind);
  if (call.bytes != 0) text += " of " + std::to_string(call.bytes) + " bytes";
  if (call.type != 0) text += " of type " + std::string(call.type_name.data());
  if (call.kind == collective_kind::broadcast || call.kind == collective_kind::gather) {
    text += " with root " + std::to_string(call.root);
  }
  return text;
}

std::string describe_mismatch(int pe, const collective_call& its, int other,
                              const collective_call& of_other) {
  return "the PEs called different collectives: PE " + std::to_string(pe) + " called " +
         describe(its) + ", PE " + std::to_string(other) + " called " + describe(of_other) +
         "; every PE must call the same ones in the same order";
}

}  // namespace boxcar::detail
