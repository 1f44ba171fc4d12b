// A folder for the files of a test, the same on all PEs of a world.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <boxcar/world.hpp>

namespace boxcar::test {

class scratch_folder {
 public:
  // Collective.
  explicit scratch_folder(world& w) : world_(w) {
    std::string made = (std::filesystem::temp_directory_path() / "boxcar-test-XXXXXX").string();
    if (w.rank() == 0 && mkdtemp(made.data()) == nullptr) made.clear();
    path_ = w.broadcast(made);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    if (world_.rank() == 0) std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string file(std::string_view name) const {
    return path_ + "/" + std::string(name);
  }

  // Collective. PE 0 changes a file meanwhile.
  template <typename Change>
  void on_first_pe(const Change& change) const {
    world_.barrier();
    if (world_.rank() == 0) change();
    world_.barrier();
  }
  // Collective. Cuts a file to a number of bytes.
  void cut(const std::string& name, std::uintmax_t bytes) const {
    on_first_pe([&] { std::filesystem::resize_file(name, bytes); });
  }
  // Collective. Makes a file with a text.
  void write(const std::string& name, std::string_view text) const {
    on_first_pe([&] { std::ofstream(name, std::ios::binary) << text; });
  }
  // Collective. Writes a number into a file.
  void patch(const std::string& name, std::streamoff offset, std::uint64_t number) const {
    on_first_pe([&] {
      std::fstream f(name, std::ios::in | std::ios::out | std::ios::binary);
      f.seekp(offset);
      f.write(reinterpret_cast<const char*>(&number), sizeof number);
    });
  }

 private:
  world& world_;
  std::string path_;
};

}  // namespace boxcar::test
