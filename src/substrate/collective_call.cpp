#include "substrate/collective_call.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "substrate/progress.hpp"
#include "substrate/word_hash.hpp"

namespace boxcar::detail {
namespace {

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

// Returns the details that distinguish calls of equal names.
std::string describe_step(const collective_call& call) {
  std::string text =
      std::string(" (") + name_of(call.kind) + " of " + std::to_string(call.bytes) + " bytes";
  if (call.root != 0) text += " with root " + std::to_string(call.root);
  return text + ")";
}

}  // namespace

called_scope::called_scope(const char* name)
    : call_(progress::of_this_pe().watch().call), outer_(call_) {
  if (call_.is_traced) [[unlikely]] {
    enter(name, kind::call);
  } else if (call_.name == nullptr) {  // and nothing else is set
    call_.name = name;
  }
}

called_scope::called_scope(const char* name, kind what)
    : call_(progress::of_this_pe().watch().call), outer_(call_) {
  enter(name, what);
}

// (Out of line: some operations cost little more than a scope.)
[[gnu::noinline]] void called_scope::enter(const char* name, kind what) {
  if (call_.is_traced) note_begin(what);
  if (what == kind::program) {
    if (call_.name == nullptr) return;
    call_ = {.within = call_.within == nullptr ? call_.name : call_.within,
             .is_traced = outer_.is_traced};
    return;
  }
  if (what == kind::step) {
    call_ = {.name = name, .is_traced = outer_.is_traced};
    return;
  }
  if (call_.name == nullptr) {
    call_.name = name;
    call_.has_value = what == kind::with_value;
    call_.returns_soon = what == kind::turn;
  }
  call_.is_ending = call_.is_ending || what == kind::ending;
}

// Inner calls of Boxcar are not recorded, nor functions of the program.
void called_scope::note_begin(kind what) {
  const auto& log = progress::of_this_pe().watch().log;
  const bool is_outermost = what != kind::program && call_.name == nullptr;
  since_ = log != nullptr && (is_outermost || what == kind::step) ? log->enter() : 0;
}

void called_scope::note_end() const {
  const auto& log = progress::of_this_pe().watch().log;
  if (log != nullptr && since_ != 0) log->leave(since_, call_.name, call_.within);
}

void write_name(const current_call& in, const char* otherwise, char* to, std::size_t bytes) {
  std::size_t room = bytes - 1;
  const auto append = [&](std::string_view text) {
    const std::size_t length = std::min(text.size(), room);
    to = std::copy_n(text.data(), length, to);
    room -= length;
  };
  append(in.name != nullptr ? in.name : otherwise);
  if (in.within != nullptr) {
    append(", within ");
    append(in.within);
  }
  *to = '\0';
}

collective_call::collective_call(collective_kind what, std::uint64_t bytes_of_each, int root_pe,
                                 const type_identity& of)
    : kind(what), root(static_cast<std::uint32_t>(root_pe)), bytes(bytes_of_each), type(of.hash) {
  if (type != 0) of.name.copy(type_name.data(), type_name.size() - 1);
}

std::optional<collective_call> call_in(std::span<const std::byte, sizeof(collective_call)> bytes) {
  // (Checked before the byte is read as a bool.)
  if (std::to_integer<unsigned>(bytes[offsetof(collective_call, has_value)]) > 1) return {};
  collective_call call;
  std::memcpy(static_cast<void*>(&call), bytes.data(), sizeof call);
  if (call.kind > collective_kind::scan) return {};
  call.called.back() = call.type_name.back() = '\0';
  return call;
}

collective_call call_of_gather(int root, const type_identity& of) {
  if (root < 0) return {collective_kind::all_gather, 0, 0, of};
  return {collective_kind::gather, 0, root, of};
}

collective_call within(const current_call& in, collective_call call) {
  call.called = {};
  write_name(in, name_of(call.kind), call.called.data(), call.called.size());
  call.has_value = in.has_value;
  return call;
}

std::uint64_t fingerprint(const collective_call& call) {
  word_hash h;
  h.add(static_cast<std::uint64_t>(call.kind) << 33 | std::uint64_t{call.has_value} << 32 |
        call.root);
  h.add(call.bytes);
  h.add(call.type);
  std::array<char, 48> name{};  // in whole words
  std::ranges::copy(call.called, name.begin());
  for (std::size_t at = 0; at < name.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, name.data() + at, sizeof word);
    h.add(word);
  }
  return h.value() << 16;
}

std::uint64_t said_call::say(const current_call& in, const collective_call& call,
                             collective_call& to) {
  if (!is(in, call)) {
    to = within(in, call);
    in_ = in;
    call_ = call;
    print_ = fingerprint(to);
  }
  return print_;
}

std::string doing(const std::string& name) {
  return name.starts_with("making ") ? name : "in " + name;
}

std::string doing(const pe_report& r) {
  std::string text = doing(std::string(r.called.data()));
  if (r.what[0] != '\0') text.append(" (").append(r.what.data()).append(")");
  if (r.world_name[0] == '\0') return text;
  return text + " of a part of the world with " + std::to_string(r.world_pes) + " PEs (" +
         r.world_name.data() + ")";
}

std::string describe(const collective_call& call) {
  std::string text = "is " + doing(call.called.data());
  if (!call.has_value) return text;
  if (call.bytes != 0) text += " of " + std::to_string(call.bytes) + " bytes";
  if (call.type != 0) text += " of type " + std::string(call.type_name.data());
  if (call.kind == collective_kind::broadcast || call.kind == collective_kind::gather) {
    text += " with root " + std::to_string(call.root);
  }
  return text;
}

std::string mismatch_text(const std::string& one, const collective_call& its,
                          const std::string& other, const collective_call& others) {
  std::string first = describe(its);
  std::string second = describe(others);
  if (first == second) {
    first += describe_step(its);
    second += describe_step(others);
  }
  return "the PEs called different collectives: " + one + " " + first + ", " + other + " " +
         second + "; every PE must call the same ones in the same order";
}

}  // namespace boxcar::detail
