#include "by_collective.hpp"

#include <functional>
#include <string_view>
#include <utility>

namespace boxcar::bench {

by_collective::by_collective(world& w, collective_runs& all, const collective_options& how,
                             std::string name)
    : world_(w), all_(all), name_(std::move(name)), memory_(w, all.given() + all.got()) {
  collectives make(w);
  make.use(memory_);
  collective_.emplace(made(make, how));
}

void by_collective::run() {
  for (std::uint64_t i = 0; i < all_.runs(); ++i) {
    all_.next(given());
    collective_->start();
    all_.compute();
    collective_->wait();
    all_.take(got());
  }
}

std::span<collective_job::word> by_collective::given() const {
  return memory_.local().first(all_.given());
}

// A broadcast has its input and output in one place.
std::span<collective_job::word> by_collective::got() const {
  return all_.which() == "broadcast" ? memory_.local().first(all_.got())
                                     : memory_.local().last(all_.got());
}

collective by_collective::made(collectives& make, const collective_options& o) const {
  const std::string_view which = all_.which();
  if (which == "barrier") return make.barrier(o);
  if (which == "broadcast") return make.broadcast(got(), 0, o);
  if (which == "reduce") return make.reduce(given(), got(), 0, std::plus<>{}, o);
  if (which == "all_reduce") return make.all_reduce(given(), got(), std::plus<>{}, o);
  if (which == "scatter") return make.scatter(given(), got(), 0, o);
  if (which == "gather") return make.gather(given(), got(), 0, o);
  if (which == "all_gather") return make.all_gather(given(), got(), o);
  if (which == "all_to_all") return make.all_to_all(given(), got(), o);
  if (which == "reduce_scatter") return make.reduce_scatter(given(), got(), std::plus<>{}, o);
  if (which == "scan") return make.scan(given(), got(), std::plus<>{}, o);
  return make.exclusive_scan(given(), got(), word{0}, std::plus<>{}, o);
}

}  // namespace boxcar::bench
