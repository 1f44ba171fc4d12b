#include "hosts/part.hpp"

namespace boxcar::hosts {
namespace {

std::string text_of(bool yes) {
  return yes ? "1" : "0";
}

}  // namespace

message message_of(const part& what) {
  message to{
      message_kind::part,
      {std::to_string(what.pes), std::to_string(what.first_rank), std::to_string(what.pes_of_job),
       std::to_string(what.hosts), text_of(what.label), text_of(what.terminal), text_of(what.input),
       what.folder, std::to_string(what.program.size())}};
  to.fields.insert(to.fields.end(), what.program.begin(), what.program.end());
  to.fields.insert(to.fields.end(), what.environment.begin(), what.environment.end());
  return to;
}

part part_of(const message& from) {
  part what;
  what.pes = from.integer(0);
  what.first_rank = from.integer(1);
  what.pes_of_job = from.integer(2);
  what.hosts = from.integer(3);
  what.label = from.number(4) != 0;
  what.terminal = from.number(5) != 0;
  what.input = from.number(6) != 0;
  what.folder = from.field(7);
  const auto words = static_cast<std::size_t>(from.number(8));
  constexpr std::size_t first_word = 9;
  for (std::size_t i = 0; i < words; ++i) what.program.push_back(from.field(first_word + i));
  for (std::size_t i = first_word + words; i < from.fields.size(); ++i) {
    what.environment.push_back(from.fields[i]);
  }
  return what;
}

message message_of(const ending& what) {
  return {message_kind::ending,
          {std::to_string(what.status), what.message, text_of(what.follows), list_of(what.running),
           what.doing}};
}

ending ending_of(const message& from) {
  return {from.integer(0), from.field(1), from.number(2) != 0, numbers_of(from.field(3)),
          from.field(4)};
}

}  // namespace boxcar::hosts
