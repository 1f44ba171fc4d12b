#include "launcher/job_output.hpp"

#include <algorithm>
#include <string>

namespace boxcar::launcher {

void job_output::add(pe_process& pe) {
  std::string label;
  if (label_) label.append("[").append(std::to_string(pe.rank)).append("] ");
  streams_.emplace_back(std::move(pe.standard_output), label, standard_.output(), 2 * pe.rank);
  streams_.emplace_back(std::move(pe.standard_error), label, standard_.error(), 2 * pe.rank + 1);
}

void job_output::watch(std::vector<pollfd>& sources) const {
  standard_.watch(sources);
  for (const line_stream& stream : streams_) {
    if (stream.is_open()) sources.push_back({stream.descriptor_to_watch(), POLLIN, 0});
  }
}

void job_output::forward(bool writers_are_gone) {
  standard_.write_what_fits();
  for (line_stream& stream : streams_) stream.forward(writers_are_gone);
}

bool job_output::is_done() const {
  return !is_behind() && std::none_of(streams_.begin(), streams_.end(),
                                      [](const line_stream& stream) { return stream.is_open(); });
}

}  // namespace boxcar::launcher
