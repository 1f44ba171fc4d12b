// lines COUNT LENGTH: every PE prints COUNT lines of about this length, each of one letter that
// identifies the PE, in pieces of odd sizes, alternately to standard output and standard error.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include <boxcar/boxcar.hpp>

namespace {

void print(int descriptor, const std::string& text, std::size_t piece) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t bytes =
        write(descriptor, text.data() + done, std::min(piece, text.size() - done));
    if (bytes <= 0) std::_Exit(9);
    done += static_cast<std::size_t>(bytes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  const std::size_t length = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  return boxcar::run([&](boxcar::world& w) {
    const char letter = static_cast<char>('a' + w.rank());
    w.barrier();
    for (std::size_t line = 0; line < count; ++line) {
      const std::string text = std::string(length + line % 7, letter) + "\n";
      print(line % 2 == 0 ? STDOUT_FILENO : STDERR_FILENO, text, 1 + length / 3 + line % 11);
    }
  });
}
