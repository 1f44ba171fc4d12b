// stranger PROVIDER DEED PORT...: a program outside any job, given the ports of a job. The program
// uses the format of Boxcar's messages, without the secrets, and sends potentially harmful messages
// to every port. The program prints "done" when everything has been sent or refused.
//
// DEED: `messages`: of all lengths and channels, in the name of any PE; `memory`: puts and gets by
// keys from 0 on, and puts with a number; `bytes`: any bytes by TCP, and silent connections.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <random>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <span>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "substrate/ofi/tags.hpp"

namespace {

using namespace boxcar::detail::ofi;
using steady = std::chrono::steady_clock;

sockaddr_in loopback(int port) {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  a.sin_port = htons(static_cast<std::uint16_t>(port));
  return a;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "stranger: %s failed\n", what);
  std::exit(2);
}

// Each deed to a port uses a separate endpoint, as an error may close the connection.
class raw_endpoint {
 public:
  raw_endpoint(const char* provider, int port) {
    fi_info* hints = fi_allocinfo();
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->caps = FI_TAGGED | FI_RMA;
    hints->ep_attr->type = FI_EP_RDM;
    hints->addr_format = FI_SOCKADDR_IN;
    hints->fabric_attr->prov_name = strdup(provider);
    hints->domain_attr->name = strdup("lo");
    require(fi_getinfo(FI_VERSION(1, 15), nullptr, nullptr, 0, hints, &info_) == 0, "fi_getinfo");
    while (std::strcmp(info_->domain_attr->name, "lo") != 0 && info_->next != nullptr) {
      info_ = info_->next;
    }
    fi_cq_attr queue{};
    queue.format = FI_CQ_FORMAT_TAGGED;
    fi_av_attr table{};
    table.type = FI_AV_TABLE;
    require(fi_fabric(info_->fabric_attr, &fabric_, nullptr) == 0 &&
                fi_domain(fabric_, info_, &domain_, nullptr) == 0 &&
                fi_cq_open(domain_, &queue, &ended_, nullptr) == 0 &&
                fi_av_open(domain_, &table, &addresses_, nullptr) == 0 &&
                fi_endpoint(domain_, info_, &endpoint_, nullptr) == 0 &&
                fi_ep_bind(endpoint_, &addresses_->fid, 0) == 0 &&
                fi_ep_bind(endpoint_, &ended_->fid, FI_TRANSMIT | FI_RECV) == 0 &&
                fi_enable(endpoint_) == 0,
            "opening an endpoint");
    const sockaddr_in there = loopback(port);
    require(fi_av_insert(addresses_, &there, 1, &to_, 0, nullptr) == 1, "fi_av_insert");
  }

  // Tries for a while. If the target does not accept the call, the endpoint gives up all later
  // calls, too.
  template <typename Call>
  void attempt(const Call& call) {
    const auto until = steady::now() + std::chrono::milliseconds(200);
    while (!is_given_up_ && call() == -FI_EAGAIN) {
      read_ends();
      is_given_up_ = steady::now() > until;
    }
    read_ends();
  }
  void send(std::span<const std::byte> data, std::uint64_t tag) {
    attempt([&] {
      return fi_tsend(endpoint_, data.data(), data.size(), nullptr, to_, tag, next_context());
    });
  }
  void put(std::span<const std::byte> data, std::uint64_t address, std::uint64_t key,
           bool with_number, std::uint64_t number) {
    attempt([&] {
      if (!with_number) {
        return fi_write(endpoint_, data.data(), data.size(), nullptr, to_, address, key,
                        next_context());
      }
      return fi_writedata(endpoint_, data.data(), data.size(), nullptr, number, to_, address, key,
                          next_context());
    });
  }
  void get(std::span<std::byte> into, std::uint64_t address, std::uint64_t key) {
    attempt([&] {
      return fi_read(endpoint_, into.data(), into.size(), nullptr, to_, address, key,
                     next_context());
    });
  }
  // Waits for transfers in flight.
  void wait(std::chrono::milliseconds duration) {
    const auto until = steady::now() + duration;
    while (steady::now() < until) {
      read_ends();
      usleep(1000);
    }
  }

  [[nodiscard]] std::size_t ended_well() const { return ended_well_; }
  // Returns whether a receiver that the sender leaves in the middle of a long message loses a
  // receive for good: libfabric's layer ofi_rxm sends messages of more than 16 KiB in pieces, and
  // waits for the missing pieces forever (docs/trust.md).
  [[nodiscard]] bool is_stopped_by_broken_messages() const {
    return std::strstr(info_->fabric_attr->prov_name, ";ofi_rxm") != nullptr;
  }

 private:
  void* next_context() { return &contexts_[next_++ % contexts_.size()]; }
  void read_ends() {
    fi_cq_tagged_entry end{};
    ssize_t found = 0;
    while ((found = fi_cq_read(ended_, &end, 1)) == 1) ++ended_well_;
    fi_cq_err_entry error{};
    if (found == -FI_EAVAIL) fi_cq_readerr(ended_, &error, 0);
  }

  fi_info* info_ = nullptr;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_cq* ended_ = nullptr;
  fid_av* addresses_ = nullptr;
  fid_ep* endpoint_ = nullptr;
  fi_addr_t to_ = FI_ADDR_UNSPEC;
  std::vector<fi_context2> contexts_ = std::vector<fi_context2>(100'000);
  std::size_t next_ = 0;
  std::size_t ended_well_ = 0;
  bool is_given_up_ = false;
};

std::vector<std::uint64_t> all_tags() {
  std::vector<std::uint64_t> tags;
  for (channel c = 0; c < first_of_pool + 12; ++c) {
    for (const int from : {0, 1, 2, 5'000'000}) {
      tags.push_back(tag_of(c, from));
      tags.push_back(answer_tag_of(c, from));
    }
  }
  tags.push_back(tag_of(first_of_items, 0));
  tags.push_back(tag_of(first_of_items, 1));
  return tags;
}

std::size_t sent_well = 0;
constexpr std::size_t max_whole_bytes = 16'000;  // of a message that ofi_rxm sends in one piece

void send_messages(const char* provider, int port) {
  std::mt19937_64 dice(7);
  // A message of excessive length may close a connection, so each length has a separate endpoint.
  for (const std::size_t bytes : {0, 1, 7, 8, 9, 12, 24, 32, 64, 1033, 2000, 3988, 70'000}) {
    raw_endpoint e(provider, port);
    if (bytes > max_whole_bytes && e.is_stopped_by_broken_messages()) continue;
    std::vector<std::byte> data(bytes);
    int i = 0;
    for (const std::uint64_t tag : all_tags()) {
      // The contents are zeros, set bits, or random.
      const int sort = ++i % 3;
      for (std::byte& b : data) {
        b = static_cast<std::byte>(sort == 0 ? 0 : sort == 1 ? 0xff : dice() & 0xff);
      }
      e.send(data, tag);
    }
    e.wait(std::chrono::milliseconds(20));
    sent_well += e.ended_well();
  }
}

void touch_memory(const char* provider, int port) {
  std::vector<std::byte> data(64, std::byte{0xff});
  std::vector<std::byte> room(64);
  for (std::uint64_t key = 0; key < 12; ++key) {
    raw_endpoint e(provider, port);
    e.put(data, 0, key, false, 0);
    e.wait(std::chrono::milliseconds(5));
    e.get(room, 0, key);
    e.put(data, 0x7fff00000000, key, key % 2 == 0, key << 8);
    e.put({data.data(), 0}, 0, key, true, key * 0x0101010101010101);
    e.wait(std::chrono::milliseconds(10));
  }
}

void send_bytes(int port) {
  std::mt19937_64 dice(7);
  for (int i = 0; i < 40; ++i) {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in there = loopback(port);
    if (connect(s, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0 && i % 4 != 0) {
      std::vector<unsigned char> data(static_cast<std::size_t>(i) * 50);
      const int sort = i % 3;
      for (unsigned char& b : data) {
        b = static_cast<unsigned char>(sort == 0 ? 0xff : sort == 1 ? 0 : dice() & 0xff);
      }
      static_cast<void>(!::send(s, data.data(), data.size(), MSG_NOSIGNAL));
    }
    usleep(2000);
    close(s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  require(argc > 3, "give a provider, a deed and ports; that");
  const std::string deed = argv[2];
  for (int i = 3; i < argc; ++i) {
    const int port = std::atoi(argv[i]);
    if (deed == "messages") send_messages(argv[1], port);
    if (deed == "memory") touch_memory(argv[1], port);
    if (deed == "bytes") send_bytes(port);
  }
  // (Not all ports belong to an endpoint.)
  require(deed != "messages" || sent_well >= 500, "sending messages to the endpoint of a PE");
  std::puts("done");
  std::fflush(stdout);
  _exit(0);  // also with transfers in flight
}
