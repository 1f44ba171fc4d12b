#include "report/report_command.hpp"

#include <filesystem>
#include <ostream>

#include <boxcar/error.hpp>

#include "basis/printable.hpp"
#include "report/page.hpp"
#include "report/trace.hpp"
#include "report_file.hpp"

namespace boxcar::tool {

void report_command(const report_request& wanted, std::ostream& out) {
  const std::string output = wanted.output.empty() ? wanted.files.front() + ".html" : wanted.output;
  for (const std::string& file : wanted.files) {
    std::error_code none;
    if (std::filesystem::equivalent(file, output, none)) {
      throw argument_error("the page would take the place of " + file +
                           ", which it is made of; give -o another name");
    }
  }
  const trace t = read_traces(wanted.files);
  report_file(output, "-o").write(page_of(t, wanted.files), true);
  for (const std::string& remark : t.remarks) out << "note: " << detail::printable(remark) << '\n';
  out << detail::printable(output) << '\n';
}

}  // namespace boxcar::tool
