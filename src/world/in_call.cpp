#include "world/in_call.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/world.hpp>

#include "substrate/substrate.hpp"
#include "world/implicit_world.hpp"
#include "world/join.hpp"

namespace boxcar::detail {
namespace {

// Throws the exception being handled again, with the name of the function.
[[noreturn]] void throw_with_name(const char* function) {
  const std::string name = std::string(function) + ": ";
  try {
    throw;
  } catch (const argument_error& e) {
    throw argument_error(name + e.what());
  } catch (const contract_error& e) {
    throw contract_error(name + e.what());
  } catch (const system_error& e) {
    throw system_error(name + e.what());
  }
}

[[noreturn]] void end_program(const std::string& what) {
  static bool is_ending = false;
  // A function that the program has given to atexit makes another error.
  if (is_ending) std::_Exit(EXIT_FAILURE);
  is_ending = true;
  std::string message = "boxcar: " + what;
  try {
    substrate& world = *implicit_world().substrate();
    message = "boxcar: " + world.pe_name(world.rank()) + ": " + what;
    // Only the first failure of a job is printed.
    if (!world.fail(message)) message.clear();
  } catch (const error&) {
    // The world cannot be joined, and the message says so.
  }
  if (!message.empty()) std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(EXIT_FAILURE);
}

}  // namespace

void give_up(const char* function) {
  if (current_world() != nullptr) throw_with_name(function);
  try {
    throw_with_name(function);
  } catch (const std::exception& e) {
    end_program(e.what());
  }
}

}  // namespace boxcar::detail
