#include "launcher/job_output.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

namespace boxcar::launcher {
namespace {

bool lead_to_same_file(int one, int other) {
  struct stat a {};
  struct stat b {};
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

}  // namespace

job_output::job_output(bool label)
    : label_(label),
      output_(STDOUT_FILENO),
      separate_error_(STDERR_FILENO),
      error_(lead_to_same_file(STDOUT_FILENO, STDERR_FILENO) ? output_ : separate_error_) {}

void job_output::add(pe_process& pe) {
  std::string label;
  if (label_) label.append("[").append(std::to_string(pes_)).append("] ");
  streams_.emplace_back(std::move(pe.standard_output), label, output_, 2 * pes_);
  streams_.emplace_back(std::move(pe.standard_error), label, error_, 2 * pes_ + 1);
  ++pes_;
}

void job_output::watch(std::vector<pollfd>& sources) const {
  for (const line_output* output : {&output_, &separate_error_}) {
    if (output->is_behind()) sources.push_back({output->descriptor(), POLLOUT, 0});
  }
  for (const line_stream& stream : streams_) {
    if (stream.is_open()) sources.push_back({stream.descriptor_to_watch(), POLLIN, 0});
  }
}

void job_output::forward(bool writers_are_gone) {
  for (line_output* output : {&output_, &separate_error_}) output->write_what_fits();
  for (line_stream& stream : streams_) stream.forward(writers_are_gone);
}

void job_output::drop_pending() {
  for (line_output* output : {&output_, &separate_error_}) output->drop_pending();
}

bool job_output::is_done() const {
  return !is_behind() && std::none_of(streams_.begin(), streams_.end(),
                                      [](const line_stream& stream) { return stream.is_open(); });
}

bool job_output::is_behind() const {
  return output_.is_behind() || separate_error_.is_behind();
}

job_output::failure job_output::why_broken() const {
  if (output_.failure() != 0) return {output_.failure(), "standard output"};
  return {separate_error_.failure(), "standard error"};
}

}  // namespace boxcar::launcher
