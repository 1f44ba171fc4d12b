#include "launcher/standard_streams.hpp"

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

standard_streams::standard_streams()
    : output_(STDOUT_FILENO),
      separate_error_(STDERR_FILENO),
      error_(lead_to_same_file(STDOUT_FILENO, STDERR_FILENO) ? output_ : separate_error_) {}

void standard_streams::watch(std::vector<pollfd>& sources) const {
  for (const line_output* output : {&output_, &separate_error_}) {
    if (output->is_behind()) sources.push_back({output->descriptor(), POLLOUT, 0});
  }
}

void standard_streams::write_what_fits() {
  for (line_output* output : {&output_, &separate_error_}) output->write_what_fits();
}

void standard_streams::drop_pending() {
  for (line_output* output : {&output_, &separate_error_}) output->drop_pending();
}

bool standard_streams::is_behind() const {
  return output_.is_behind() || separate_error_.is_behind();
}

standard_streams::failure standard_streams::why_broken() const {
  if (output_.failure() != 0) return {output_.failure(), "standard output"};
  return {separate_error_.failure(), "standard error"};
}

}  // namespace boxcar::launcher
