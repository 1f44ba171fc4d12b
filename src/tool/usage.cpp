#include "usage.hpp"

#include <fcntl.h>
#include <iostream>
#include <unistd.h>

#include "printable.hpp"
#include "substrate/environment.hpp"

namespace boxcar::tool {

int complain_of_usage(const std::string& complaint) {
  if (!detail::first_of_job()) return 0;
  std::cerr << printable(complaint) << '\n';
  return wrong_usage;
}

std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& e) {
    return detail::first_of_job() ? app.exit(e) : 0;
  } catch (const CLI::ParseError& e) {
    return complain_of_usage(app.get_name() + ": " + e.what() + "\n" + app.get_name() +
                             " --help tells more");
  }
}

void open_standard_descriptors() {
  int lowest = 0;
  do {
    lowest = open("/dev/null", O_RDWR);
  } while (lowest >= 0 && lowest <= STDERR_FILENO);
  if (lowest > STDERR_FILENO) close(lowest);
}

}  // namespace boxcar::tool
