// A world of PEs on a simulated machine.
//
// Within a node, links and objects are the same as on every other substrate, in memory shared by
// the PEs. Between nodes messages travel (links, mailbox). The last PE that comes to a collective
// executes the collective for all PEs, in time that grows with the number of PEs; the network
// determines the end on the simulated clock.
#pragma once

#include <functional>
#include <memory>

#include "substrate/simulated/peer_objects.hpp"
#include "substrate/simulated/simulated_machine.hpp"
#include "substrate/simulated/team.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class simulated_substrate final : public substrate {
 public:
  simulated_substrate(std::shared_ptr<simulated_machine> on, std::shared_ptr<team> with, int rank);
  simulated_substrate(const simulated_substrate&) = delete;
  simulated_substrate& operator=(const simulated_substrate&) = delete;
  ~simulated_substrate() override;

  [[nodiscard]] const char* name() const override { return "simulated"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return team_->members.size(); }
  [[nodiscard]] const node_layout& layout() const override { return team_->layout; }
  [[nodiscard]] int pes_on_machine() const override {
    return machine_->layout().local_size(machine_->layout().node_of(rank_in_job(rank_)));
  }
  // Returns false: repeated looks bring nothing about, as another PE has to run.
  [[nodiscard]] bool has_core() const override { return false; }

  using substrate::barrier;
  void barrier(std::size_t bytes, int root) override;
  void broadcast(std::span<std::byte> data, int root, const type_identity& of) override;
  void all_gather(std::span<const std::byte> mine, std::byte* all,
                  const type_identity& of) override;
  void gather(std::span<const std::byte> mine, int root, const gathering_room& room,
              const type_identity& of) override;
  using substrate::all_reduce;
  void all_reduce(std::span<std::byte> values, const combination& how,
                  const type_identity& of) override;
  bool scan(std::span<std::byte> values, const combination& how, const type_identity& of) override;
  std::unique_ptr<substrate> split(int color, int key) override;

  std::unique_ptr<node_memory> share_memory(std::size_t bytes, bool keep) override;
  [[nodiscard]] std::atomic<std::uint64_t>& first_ready(int pe) override {
    return team_->first_ready[static_cast<std::size_t>(pe)];
  }
  [[nodiscard]] bool is_one_process() const override { return machine_->has_one_memory(); }
  std::shared_ptr<mailbox> make_mailbox() override;
  std::unique_ptr<link_set> make_remote_links(const link_plan& plan) override;
  std::unique_ptr<link_set> make_local_links(const link_plan& plan) override;
  std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) override;
  std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket) override;

  [[nodiscard]] std::chrono::nanoseconds now() const override;
  void idle(const pause_reason& why) override;
  void busy() override { machine_->busy(); }
  void look() override {
    if (!others_->is_in_background()) machine_->look();
  }
  void wake(int pe) override { wake(pe, true); }
  // Without `of_use`, the PE can do no more than before the wake.
  void wake(int pe, bool of_use);
  void worked(const packet_work& work) override {
    machine_->charge(machine_->network().time_for(work));
  }
  void compute(std::chrono::nanoseconds duration) override;
  // (By time, no PE is interrupted in an action that other PEs await by pause_briefly.)
  void pause_briefly() noexcept override { machine_->step_aside(); }
  void sleep(std::chrono::nanoseconds duration) override;
  [[nodiscard]] const stall_watch& stall() const override;
  bool fail(const std::string& message) noexcept override {
    return machine_->fail(rank_in_job(rank_), message);
  }
  void check_failure() override { machine_->check_failure(); }
  void depart() noexcept override;

  // Makes a table of one object of each PE, for objects that send messages. Collective over the
  // world.
  template <typename T>
  peer_objects<T> exchange_objects(T* mine);
  [[nodiscard]] simulated_machine& on() { return *machine_; }
  [[nodiscard]] int in_job(int pe) const { return team_->members[pe]; }

 protected:
  void keep_going(progress& others) override;
  [[nodiscard]] int rank_in_job(int pe) const override { return team_->members[pe]; }

 private:
  using visits = std::span<visit* const>;
  class brought;
  struct gathered;
  // Executes one collective: `by_last` is called once for all PEs, when all have come, and may
  // change their contributions, but no other memory of the PEs.
  void round(visit& mine, const collective_call& call, const std::function<void(visits)>& by_last);
  void carry_out(const std::function<void(visits)>& by_last);
  // Returns the contributions of all PEs; nullptr on PEs that get nothing.
  std::shared_ptr<const gathered> gather_parts(std::span<const std::byte> mine,
                                               const collective_call& call, int root);
  void wait_for_all(std::uint32_t round);
  [[noreturn]] void wait_for_failure();
  // Waits for one turn; returns true if several turns in a row found nothing.
  bool pause(const pause_reason& why);
  void leave() noexcept;
  [[noreturn]] void report_absence(const pause_reason& why);

  std::shared_ptr<simulated_machine> machine_;
  std::shared_ptr<team> team_;
  int rank_;
  progress* others_;
};

template <typename T>
peer_objects<T> simulated_substrate::exchange_objects(T* mine) {
  visit v;
  v.more = mine;
  const auto mine_of = [this, &v] {
    return peer_objects<T>(std::static_pointer_cast<std::vector<T*>>(v.shared), rank_);
  };
  try {
    round(v, {collective_kind::share_memory, 0}, [](visits all) {
      auto table = std::make_shared<std::vector<T*>>();
      for (const visit* one : all) table->push_back(static_cast<T*>(one->more));
      for (visit* one : all) one->shared = table;
    });
  } catch (...) {
    static_cast<void>(mine_of());  // other PEs may have the table
    throw;
  }
  return mine_of();
}

}  // namespace boxcar::detail
