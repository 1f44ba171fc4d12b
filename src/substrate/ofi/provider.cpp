#include "substrate/ofi/provider.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <tuple>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/ofi/call.hpp"

namespace boxcar::detail::ofi {
namespace {

// The minimum of a provider's longest message.
constexpr std::size_t shortest_longest_message = std::size_t{1} << 20;
// A world posts 80 receives, and windows and conveyors post the rest.
constexpr std::size_t fewest_receives = 128;

std::string provider_of(const fi_info& endpoint) {
  return endpoint.fabric_attr->prov_name;
}

// Returns hints for reliable connectionless endpoints (FI_EP_RDM), with all modes supported by
// Boxcar.
info_list make_hints() {
  info_list hints(libfabric().copy_information(nullptr));
  if (hints == nullptr) throw system_error("fi_dupinfo failed: there is no memory left");
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode =
      FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  return hints;
}

// The layer ofi_rxm, used over tcp, posts 4096 receive buffers of 17 KB by default: 70 MB, in 40
// ms. A value set by the user takes precedence.
void save_memory() {
  setenv("FI_OFI_RXM_MSG_RX_SIZE", "256", 0);
}

info_list find(const fi_info& hints) {
  save_memory();
  fi_info* found = nullptr;
  const int code = libfabric().get_information(api_version, nullptr, nullptr, 0, &hints, &found);
  if (code == -FI_ENODATA) return nullptr;
  check(code, "fi_getinfo");
  return info_list(found);
}

std::vector<const fi_info*> in_list(const info_list& list) {
  std::vector<const fi_info*> all;
  for (const fi_info* one = list.get(); one != nullptr; one = one->next) all.push_back(one);
  return all;
}

// Native connectionless endpoints come before endpoints of a layer over lesser endpoints: over TCP
// native endpoints are 1.5 to 3 times as fast, and a PE is ready in a millisecond instead of a
// hundred. The last are `sockets`, an example according to libfabric, and layers over unreliable
// protocols.
int reluctance(const std::string& provider) {
  if (provider == "sockets") return 2;
  if (provider.find(";ofi_rxd") != std::string::npos) return 3;
  return provider.find(';') != std::string::npos ? 1 : 0;
}

// Returns a rank; greater is better. An endpoint that reaches other machines comes first, or, for a
// job on one machine, the loopback device. Then an adapter comes before the system's network.
auto worth(const fi_info& endpoint, bool is_one_machine) {
  return std::tuple(is_one_machine ? is_loopback(endpoint) : !stays_on_machine(endpoint),
                    endpoint.nic != nullptr, (endpoint.caps & FI_RMA) != 0,
                    -reluctance(provider_of(endpoint)), endpoint.addr_format != FI_SOCKADDR_IN6);
}

// Returns the best suitable endpoint, the first among equals; nullptr if there is none.
const fi_info* best_of(const std::vector<const fi_info*>& all, const std::string& wanted,
                       bool is_one_machine) {
  const fi_info* best = nullptr;
  for (const fi_info* one : all) {
    if (!is_named(provider_of(*one), wanted) || !what_it_lacks(*one).empty()) continue;
    if (best == nullptr || worth(*one, is_one_machine) > worth(*best, is_one_machine)) best = one;
  }
  return best;
}

constexpr const char* advice =
    "; `boxcar info` lists the providers with what they lack, and `fi_info -l` what libfabric was "
    "built with";

[[noreturn]] void refuse(const std::vector<const fi_info*>& all, const std::string& wanted) {
  std::map<std::string, std::string> reasons;
  for (const fi_info* one : all) reasons.emplace(provider_of(*one), what_it_lacks(*one));
  std::string tried;
  std::string named;
  for (const auto& [name, reason] : reasons) {
    named += (named.empty() ? "" : ", ") + name;
    if (is_named(name, wanted)) tried += (tried.empty() ? "" : ", ") + name + " " + reason;
  }
  if (!wanted.empty() && tried.empty()) {
    throw system_error("BOXCAR_OFI_PROVIDER=" + wanted +
                       " is no provider that libfabric has here: give one of " +
                       (named.empty() ? "none" : named) + ", or unset it" + advice);
  }
  if (!wanted.empty()) {
    throw system_error("BOXCAR_OFI_PROVIDER=" + wanted + " cannot carry Boxcar's messages: " +
                       tried + ". Unset it to have one chosen" + advice);
  }
  throw system_error("libfabric has no provider here that can carry Boxcar's messages: " +
                     (tried.empty() ? "it names none" : tried) + advice);
}

info_list find_all() {
  return find(*make_hints());
}

}  // namespace

bool is_named(std::string_view provider, std::string_view wanted) {
  return wanted.empty() || provider == wanted || provider.substr(0, provider.find(';')) == wanted;
}

std::string name_of(const fi_info& endpoint) {
  const char* domain = endpoint.domain_attr->name;
  return provider_of(endpoint) + (domain == nullptr ? "" : std::string(" on ") + domain);
}

bool is_loopback(const fi_info& endpoint) {
  const char* name = endpoint.domain_attr->name;
  return name != nullptr && std::string_view(name) == "lo";
}

bool stays_on_machine(const fi_info& endpoint) {
  return is_loopback(endpoint) || (endpoint.caps & FI_REMOTE_COMM) == 0;
}

std::string what_it_lacks(const fi_info& endpoint) {
  if ((endpoint.caps & FI_TAGGED) == 0) return "has no tagged messages";
  if (endpoint.domain_attr->resource_mgmt != FI_RM_ENABLED) {
    return "does not guard its queues against overruns";
  }
  const std::uint64_t order = endpoint.tx_attr->msg_order & endpoint.rx_attr->msg_order;
  if ((order & FI_ORDER_SAS) == 0) return "does not keep messages in order";
  if (endpoint.tx_attr->inject_size < small_bytes) {
    return "sends only " + std::to_string(endpoint.tx_attr->inject_size) + " bytes at once, and " +
           std::to_string(small_bytes) + " are needed";
  }
  if (endpoint.rx_attr->size < fewest_receives) {
    return "lets a PE post " + std::to_string(endpoint.rx_attr->size) + " receives, and " +
           std::to_string(fewest_receives) + " are needed";
  }
  const auto bits = static_cast<unsigned>(std::bit_width(endpoint.ep_attr->mem_tag_format));
  if (bits < tag_bits) {
    return "has tags of " + std::to_string(bits) + " bits, and " + std::to_string(tag_bits) +
           " are needed";
  }
  if (endpoint.ep_attr->max_msg_size < shortest_longest_message) {
    return "has messages of at most " + std::to_string(endpoint.ep_attr->max_msg_size) + " bytes";
  }
  return {};
}

info_list choose_provider(const std::string& wanted, bool is_one_machine) {
  const info_list all = find_all();
  const fi_info* const best = best_of(in_list(all), wanted, is_one_machine);
  if (best == nullptr) refuse(in_list(all), wanted);
  // The chosen endpoint is requested again with only the needed capabilities, as fewer may be
  // faster.
  info_list hints = make_hints();
  hints->caps = FI_TAGGED | (best->caps & FI_RMA);
  const std::uint64_t order = best->tx_attr->msg_order & best->rx_attr->msg_order;
  hints->tx_attr->msg_order = FI_ORDER_SAS | (order & (FI_ORDER_SAW | FI_ORDER_WAW));
  hints->rx_attr->msg_order = hints->tx_attr->msg_order;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;  // one thread at a time: endpoint.hpp
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  hints->addr_format = best->addr_format;
  hints->fabric_attr->prov_name = strdup(best->fabric_attr->prov_name);
  hints->fabric_attr->name = strdup(best->fabric_attr->name);
  hints->domain_attr->name = strdup(best->domain_attr->name);
  const info_list found = find(*hints);
  for (const fi_info* one : in_list(found)) {
    if (name_of(*one) != name_of(*best) || one->addr_format != best->addr_format) continue;
    info_list chosen(libfabric().copy_information(one));
    // A provider with reduced hints does not say whether other machines are reachable.
    chosen->caps |= best->caps & (FI_LOCAL_COMM | FI_REMOTE_COMM);
    return chosen;
  }
  throw system_error("libfabric offers " + name_of(*best) +
                     ", but not with ordered tagged messages and guarded queues: name another "
                     "provider in BOXCAR_OFI_PROVIDER" +
                     advice);
}

info_list find_deferring(const fi_info& like) {
  info_list hints = make_hints();
  hints->caps = FI_RMA | FI_ATOMIC | FI_TRIGGER | FI_RMA_EVENT;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->addr_format = like.addr_format;
  hints->fabric_attr->prov_name = strdup(like.fabric_attr->prov_name);
  hints->fabric_attr->name = strdup(like.fabric_attr->name);
  hints->domain_attr->name = strdup(like.domain_attr->name);
  return find(*hints);
}

std::string describe_trust(const fi_info& endpoint) {
  const std::string name = name_of(endpoint);
  std::string text = "whoever can read the traffic of " + name + " can take part in a job";
  if ((endpoint.caps & FI_RMA) != 0) {
    const std::size_t bytes = endpoint.domain_attr->mr_key_size;
    text += (endpoint.domain_attr->mr_mode & FI_MR_PROV_KEY) != 0
                ? "; keys of its memory are chosen by " + name +
                      ", and whoever guesses one reaches that"
                : "; keys of its memory are random, of " +
                      std::to_string(8 * (bytes == 0 ? sizeof(std::uint64_t) : bytes)) + " bits";
  }
  if (provider_of(endpoint).find(";ofi_rxm") != std::string::npos) {
    text +=
        "; and whoever reaches its ports can make a job wait forever, by long messages that "
        "break off";
  }
  return text + "; see docs/trust.md";
}

std::string describe_providers(const std::string& wanted) {
  const info_list list = find_all();
  const std::vector<const fi_info*> all = in_list(list);
  const fi_info* const best = best_of(all, wanted, false);
  const fi_info* const best_here = best_of(all, wanted, true);
  std::string text;
  std::vector<std::string> told;
  for (const fi_info* one : all) {
    const std::string name = name_of(*one);
    if (std::ranges::find(told, name) != told.end()) continue;
    told.push_back(name);
    const std::string lacks = what_it_lacks(*one);
    text += name + ": ";
    if (best != nullptr && name == name_of(*best)) {
      text += "chosen";
    } else if (best_here != nullptr && name == name_of(*best_here)) {
      text += "chosen where all PEs are on one machine";
    } else if (!lacks.empty()) {
      text += lacks;
    } else if (!is_named(provider_of(*one), wanted)) {
      text += "usable, but not what BOXCAR_OFI_PROVIDER names";
    } else {
      text += stays_on_machine(*one) ? "usable on this machine only" : "usable";
    }
    text += '\n';
  }
  if (best != nullptr) text += "trust: " + describe_trust(*best) + '\n';
  return text;
}

}  // namespace boxcar::detail::ofi
