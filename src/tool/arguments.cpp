#include "arguments.hpp"

#include <string>

#include "substrate/environment.hpp"
#include "usage.hpp"

namespace boxcar::tool {

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

}  // namespace boxcar::tool
