#include "openshmem-c/global_exit.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include <boxcar/error.hpp>

#include "openshmem-c/member.hpp"
#include "substrate/substrate.hpp"
#include "world/implicit_world.hpp"
#include "world/join.hpp"

namespace boxcar::openshmem_c {
namespace {

constexpr std::string_view beginning = "shmem_global_exit(";

}  // namespace

void exit_all(int status) {
  detail::substrate& world = *member::here().all().substrate();
  const std::string message = std::string(beginning) + std::to_string(status) +
                              ") ends the program: called by " + world.pe_name(world.rank());
  world.fail(message);
  if (detail::current_world() != nullptr) throw world_error(message);
  end_with(status);
}

std::optional<int> status_of_global_exit(std::string_view message) {
  const std::size_t at = message.find(beginning);
  if (at == std::string_view::npos) return std::nullopt;
  const char* const number = message.data() + at + beginning.size();
  int status = 0;
  const auto [end, problem] = std::from_chars(number, message.data() + message.size(), status);
  if (problem != std::errc()) return std::nullopt;
  return status;
}

void end_with(int status) {
  std::fflush(nullptr);
  for (std::ostream* const stream : {&std::cout, &std::clog}) stream->flush();
  // A launcher takes a PE that ends with status 0 within a world for an accident. The system passes
  // on the lowest 8 bits of a status.
  if ((status & 0xff) == 0) detail::implicit_world().substrate()->depart();
  std::_Exit(status);
}

}  // namespace boxcar::openshmem_c
