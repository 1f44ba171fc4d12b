#include "substrate/node_layout.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail {

node_layout node_layout::spread(int pes, int nodes) {
  builder all;
  const auto begin = [&](int node) {
    return static_cast<int>((std::int64_t{node} * pes + nodes - 1) / nodes);
  };
  for (int node = 0; node < nodes; ++node) {
    all.add(static_cast<std::uint64_t>(node), begin(node + 1) - begin(node));
  }
  return std::move(all).build();
}

void node_layout::builder::add(std::uint64_t node, int pes) {
  if (pes == 0) return;
  const int number = numbers_.try_emplace(node, static_cast<int>(numbers_.size())).first->second;
  if (number == static_cast<int>(sizes_.size())) sizes_.push_back(0);
  int& size = sizes_[static_cast<std::size_t>(number)];
  if (runs_.empty() || runs_.back().node != number) runs_.push_back({pes_, number, size});
  size += pes;
  pes_ += pes;
}

node_layout node_layout::builder::build() && {
  node_layout all(pes_, static_cast<int>(sizes_.size()));
  const int length = runs_.size() < 2 ? pes_ : runs_[1].first;
  int node = 0;
  bool alike = pes_ - runs_.back().first <= length;
  for (std::size_t i = 0; i < runs_.size() && alike; ++i) {
    alike = runs_[i].first == static_cast<int>(i) * length && runs_[i].node == node;
    if (++node == all.nodes_) node = 0;
  }
  if (alike) {
    all.run_ = length;
  } else {
    all.runs_ = std::move(runs_);
    all.runs_.shrink_to_fit();
    all.sizes_ = std::move(sizes_);
    all.sizes_.shrink_to_fit();
  }
  return all;
}

const node_layout::run& node_layout::run_of(int pe) const {
  const auto next = std::ranges::upper_bound(runs_, pe, {}, &run::first);
  return *std::prev(next);
}

int node_layout::node_of(int pe) const {
  return run_ != 0 ? pe / run_ % nodes_ : run_of(pe).node;
}

int node_layout::local_rank(int pe) const {
  if (run_ != 0) return pe / run_ / nodes_ * run_ + pe % run_;
  const run& r = run_of(pe);
  return r.before + pe - r.first;
}

int node_layout::local_size(int node) const {
  if (run_ == 0) return sizes_[static_cast<std::size_t>(node)];
  const std::int64_t round = std::int64_t{run_} * nodes_;
  const std::int64_t rest = pes_ % round - std::int64_t{node} * run_;  // PEs of the last round
  return static_cast<int>(pes_ / round * run_ + std::clamp<std::int64_t>(rest, 0, run_));
}

int node_layout::pe_at(int node, int local_rank) const {
  if (run_ != 0) return local_rank / run_ * run_ * nodes_ + node * run_ + local_rank % run_;
  const run* found = nullptr;
  for (const run& r : runs_) {
    if (r.node == node && r.before <= local_rank) found = &r;
  }
  return found->first + local_rank - found->before;
}

int node_layout::pes_per_node() const {
  return run_ != 0 && pes_ == std::int64_t{run_} * nodes_ ? run_ : 0;
}

int node_layout::pes_per_node_but_last() const {
  return run_ != 0 && pes_ <= std::int64_t{run_} * nodes_ ? run_ : 0;
}

bool node_layout::keeps_together(int group) const {
  if (nodes_ == 1) return true;
  if (run_ != 0) return run_ % group == 0;
  return std::ranges::all_of(runs_, [group](const run& r) { return r.first % group == 0; });
}

}  // namespace boxcar::detail
