// The bootstrap by PMI version 1, as MPICH's launcher speaks the protocol: lines of words
// of the form name=value, over a descriptor that the process inherits.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "basis/hexadecimal.hpp"
#include "substrate/environment.hpp"
#include "substrate/ofi/bootstraps.hpp"

namespace boxcar::detail::ofi {
namespace {

class pmi_bootstrap final : public bootstrap {
 public:
  explicit pmi_bootstrap(const pmi_process& process)
      : descriptor_(process.descriptor), rank_(process.rank), size_(process.size) {
    ask("cmd=init pmi_version=1 pmi_subversion=1", "cmd=response_to_init");
    space_ = word(ask("cmd=get_my_kvsname", "cmd=my_kvsname"), "kvsname");
    longest_ = max_value(word(ask("cmd=get_maxes", "cmd=maxes"), "vallen_max"));
  }

  [[nodiscard]] const char* name() const override { return "PMI"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  [[nodiscard]] bool is_on_one_machine() override {
    try {
      return is_one_node(get("PMI_process_mapping"));
    } catch (const system_error&) {
      return false;  // the launcher does not say
    }
  }

  // The text is put in pieces of at most the launcher's length. A sign behind each piece says
  // whether more pieces follow.
  void publish(const std::string& mine) override {
    const std::string all = to_hexadecimal(mine);
    std::string_view text = all;
    const int turn = fence_count_++;
    for (int piece = 0; piece == 0 || !text.empty(); ++piece) {
      const std::string now(text.substr(0, longest_ - 1));
      text.remove_prefix(now.size());
      ask("cmd=put kvsname=" + space_ + " key=" + key(rank_, turn, piece) + " value=" + now +
              (text.empty() ? is_last : has_next),
          "cmd=put_result");
    }
    ask("cmd=barrier_in", "cmd=barrier_out");
  }
  [[nodiscard]] std::string lookup(int pe, int turn) override {
    std::string text;
    for (int piece = 0; text.empty() || text.back() == has_next; ++piece) {
      if (!text.empty()) text.pop_back();
      text += get(key(pe, turn, piece));
    }
    text.pop_back();
    return from_hexadecimal(text);
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
  static constexpr char has_next = '+';
  static constexpr char is_last = '.';

  static std::string key(int pe, int turn, int piece) {
    return "boxcar-" + std::to_string(turn) + "-" + std::to_string(pe) + "-" +
           std::to_string(piece);
  }
  std::string get(const std::string& name) {
    return word(ask("cmd=get kvsname=" + space_ + " key=" + name, "cmd=get_result"), "value");
  }

  // Returns whether the mapping has a single block of a single node. In a mapping such as
  // "(vector,(0,1,16))" a block is the number of its first node, of its nodes, and of the PEs per
  // node.
  static bool is_one_node(const std::string& mapping) {
    int node = 0;
    int pes = 0;
    int end = 0;
    const int found = std::sscanf(mapping.c_str(), "(vector,(%d,1,%d))%n", &node, &pes, &end);
    return found == 2 && static_cast<std::size_t>(end) == mapping.size();
  }

  // Returns the value of the word `name` in a line.
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
      if (got == 0) throw system_error("the launcher has closed PMI_FD; look for its last message");
      if (got < 0 && errno != EINTR) fail("read from");
      if (got > 0) unread_.append(more.data(), static_cast<std::size_t>(got));
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return line;
  }
  // The rest of a line takes a few bytes.
  static std::size_t max_value(const std::string& text) {
    constexpr std::size_t rest = 8;
    std::size_t most = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), most);
    if (problem != std::errc() || end != text.data() + text.size() || most < rest + 2) {
      throw system_error("the launcher says over PMI_FD that values have at most \"" + text +
                         "\" bytes; a number of at least " + std::to_string(rest + 2) +
                         " is expected");
    }
    return most - rest;
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

std::unique_ptr<bootstrap> bootstrap_by_pmi() {
  const auto process = pmi_process_from_environment();
  return process ? std::make_unique<pmi_bootstrap>(*process) : nullptr;
}

}  // namespace boxcar::detail::ofi
