#include "examples/temporary_file.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>
#include <zlib.h>

namespace examples::test {

std::string gzip(std::string_view bytes) {
  const temporary_file file("");
  const gzFile out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string contents_of(const std::string& path) {
  const gzFile in = gzopen(path.c_str(), "rb");
  if (in == nullptr) throw std::runtime_error("cannot open " + path);
  std::string text;
  std::array<char, 65536> piece;
  int bytes = 0;
  while ((bytes = gzread(in, piece.data(), piece.size())) > 0) {
    text.append(piece.data(), static_cast<std::size_t>(bytes));
  }
  gzclose(in);
  return text;
}

temporary_file::temporary_file(std::string_view contents)
    : path_((std::filesystem::temp_directory_path() / "boxcar-test-XXXXXX").string()) {
  const int file = mkstemp(path_.data());
  if (file < 0) throw std::runtime_error("cannot make the temporary file " + path_);
  close(file);
  std::ofstream(path_, std::ios::binary) << contents;
}

temporary_file::~temporary_file() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace examples::test
