#include "simulator/account.hpp"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/resource.h>

namespace boxcar::simulator {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << number;
  return text.str();
}

int nodes_of(const simulate_options& machine) {
  const int per_node = machine.pes_per_node;
  return per_node == 0 ? 1 : (machine.pes - 1) / per_node + 1;
}

std::string counted(std::uint64_t n, const char* what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

}  // namespace

account::account(const simulate_options& machine, const std::string& network,
                 const std::string& json)
    : machine_(machine), network_(network) {
  if (!json.empty()) file_.emplace(json, "--json");
}

void account::close(const simulation& was, std::size_t data_bytes) {
  was_ = was;
  data_bytes_ = data_bytes;
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  peak_bytes_ = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  if (file_) file_->write(json(), true);
}

std::string account::text() const {
  const auto n = static_cast<std::size_t>(machine_.pes);
  std::ostringstream out;
  out << "boxcar simulate: " << std::setprecision(6)
      << static_cast<double>(was_.time.count()) * 1e-6 << " ms on the clock of " << counted(n, "PE")
      << ", " << counted(static_cast<std::uint64_t>(nodes_of(machine_)), "node")
      << (network_.empty() ? "" : " of " + network_) << ", seed " << machine_.seed << "; trace "
      << hexadecimal(was_.trace_hash) << '\n'
      << "between nodes: " << counted(was_.buffers, "buffer") << ", "
      << counted(was_.messages, "small message") << ", " << was_.bytes << " bytes\n"
      << "it took " << std::setprecision(3) << seconds_ << " s for " << was_.events << " events, "
      << "and up to " << peak_bytes_ / 1024 / n << " KiB a PE: " << was_.buffer_bytes / 1024 / n
      << " of buffers, " << was_.shared_bytes / 1024 / n << " of memory of nodes; " << data_bytes_
      << " bytes of the program's variables\n";
  return out.str();
}

std::string account::json() const {
  return nlohmann::ordered_json{
             {"pes", machine_.pes},
             {"pes_per_node", machine_.pes_per_node},
             {"nodes", nodes_of(machine_)},
             {"network", network_},
             {"seed", machine_.seed},
             {"trace_hash", hexadecimal(was_.trace_hash)},
             {"simulated_seconds", static_cast<double>(was_.time.count()) * 1e-9},
             {"events", was_.events},
             {"switches", was_.switches},
             {"buffers", was_.buffers},
             {"messages", was_.messages},
             {"bytes", was_.bytes},
             {"most_buffer_bytes", was_.buffer_bytes},
             {"most_shared_bytes", was_.shared_bytes},
             {"variable_bytes", data_bytes_},
             {"seconds", seconds_},
             {"most_bytes", peak_bytes_}}
             .dump(2) +
         '\n';
}

}  // namespace boxcar::simulator
