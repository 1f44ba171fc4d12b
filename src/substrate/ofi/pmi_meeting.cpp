// The first version of PMI, as MPICH's launcher speaks it: lines of words of the form name=value,
// over a descriptor that the process inherits.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"
#include "substrate/ofi/meetings.hpp"
#include "substrate/ofi/text.hpp"

namespace boxcar::detail::ofi {
namespace {

class pmi_meeting final : public meeting {
 public:
  explicit pmi_meeting(const pmi_process& process)
      : descriptor_(process.descriptor), rank_(process.rank), size_(process.size) {
    ask("cmd=init pmi_version=1 pmi_subversion=1", "cmd=response_to_init");
    space_ = word(ask("cmd=get_my_kvsname", "cmd=my_kvsname"), "kvsname");
    // A little is taken by what else stands in the line.
    longest_ = std::stoul(word(ask("cmd=get_maxes", "cmd=maxes"), "vallen_max")) - 8;
  }

  [[nodiscard]] const char* name() const override { return "PMI"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void show(const std::string& mine) override {
    const std::string text = to_hexadecimal(mine);
    if (text.size() > longest_) {
      throw system_error("the launcher does not pass on so long an address of libfabric's as " +
                         std::to_string(mine.size()) + " bytes");
    }
    const int turn = turns_++;
    ask("cmd=put kvsname=" + space_ + " key=" + key(rank_, turn) + " value=" + text,
        "cmd=put_result");
    ask("cmd=barrier_in", "cmd=barrier_out");
  }
  [[nodiscard]] std::string shown_by(int pe, int turn) override {
    const std::string answer =
        ask("cmd=get kvsname=" + space_ + " key=" + key(pe, turn), "cmd=get_result");
    return from_hexadecimal(word(answer, "value"));
  }

  void end(int status, bool /*is_in_world*/) noexcept override {
    try {
      if (status == 0) {
        ask("cmd=finalize", "cmd=finalize_ack");
      } else {
        write_line("cmd=abort exitcode=" + std::to_string(status));
      }
    } catch (const std::exception&) {
      // The launcher sees that the process ends.
    }
  }

 private:
  static std::string key(int pe, int turn) {
    return "boxcar-" + std::to_string(turn) + "-" + std::to_string(pe);
  }

  // The value of a word of a line.
  static std::string word(const std::string& line, const std::string& name) {
    const std::string before = " " + name + "=";
    const std::size_t at = line.find(before);
    if (at == std::string::npos) {
      throw system_error("the launcher's answer lacks " + name + ": " + line);
    }
    const std::size_t begin = at + before.size();
    return line.substr(begin, line.find(' ', begin) - begin);
  }

  std::string ask(const std::string& question, const std::string& expected) {
    write_line(question);
    std::string answer = read_line();
    if (answer.rfind(expected, 0) != 0) {
      throw system_error("the launcher's answer to \"" + question + "\" over PMI_FD is \"" +
                         answer + "\"");
    }
    const bool tells = answer.find(" rc=") != std::string::npos;
    if (tells && word(answer, "rc") != "0") {
      throw system_error("the launcher refuses \"" + question + "\" over PMI_FD: " + answer);
    }
    return answer;
  }
  void write_line(const std::string& line) const {
    const std::string all = line + '\n';
    for (std::size_t done = 0; done < all.size();) {
      const ssize_t written = ::write(descriptor_, all.data() + done, all.size() - done);
      if (written < 0 && errno != EINTR) fail("written to");
      if (written > 0) done += static_cast<std::size_t>(written);
    }
  }
  std::string read_line() {
    std::size_t end = 0;
    while ((end = unread_.find('\n')) == std::string::npos) {
      std::array<char, 4096> more;
      const ssize_t got = ::read(descriptor_, more.data(), more.size());
      if (got == 0 || (got < 0 && errno != EINTR)) fail("read from");
      if (got > 0) unread_.append(more.data(), static_cast<std::size_t>(got));
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return line;
  }
  [[noreturn]] static void fail(const char* what) {
    throw system_error(std::string("the launcher's PMI_FD cannot be ") + what + ": " +
                       std::strerror(errno));
  }

  int descriptor_;
  int rank_;
  int size_;
  std::string space_;
  std::size_t longest_ = 0;
  std::string unread_;
};

}  // namespace

std::unique_ptr<meeting> meet_by_pmi() {
  const auto process = pmi_process_from_environment();
  return process ? std::make_unique<pmi_meeting>(*process) : nullptr;
}

}  // namespace boxcar::detail::ofi
