#include "substrate/substrate.hpp"

#include <dlfcn.h>
#include <exception>
#include <thread>
#include <unistd.h>
#include <utility>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "substrate/forked_child.hpp"
#include "substrate/liveness/fail_at_exit.hpp"
#include "substrate/liveness/program_end.hpp"
#include "substrate/progress.hpp"
#include "substrate/progress_context.hpp"

namespace boxcar::detail {

#ifdef _GLIBCXX_DEBUG
void GLIBCXX_DEBUG_must_be_defined_for_the_library_as_for_the_program() {}
#endif
#ifdef BOXCAR_HAS_THREAD_SANITIZER
void ThreadSanitizer_must_be_used_for_the_library_as_for_the_program() {}
#endif

namespace {

// Each copy of Boxcar in a process has a mark of its own.
const char mark_of_copy = 0;

std::string file_of(const void* address) {
  Dl_info place{};
  return dladdr(address, &place) == 0 || place.dli_fname == nullptr ? "a file" : place.dli_fname;
}

}  // namespace

substrate::substrate() : owner_(&progress::of_this_pe()), process_(getpid()), copy_(&mark_of_copy) {
  note_world(*this);
}
substrate::~substrate() {
  forget_world(*this);
  parts_->remove(this);
}

void substrate::refuse_pe(const char* operation, int pe) const {
  if (!is_of_this_process()) refuse_thread(operation);
  throw argument_error(std::string(operation) + ": there is no PE " + std::to_string(pe) +
                       " in a world of " + std::to_string(size()) + " PEs; give 0 to " +
                       std::to_string(size() - 1));
}

std::string substrate::pe_name(int pe) const {
  const std::string here = "PE " + std::to_string(pe);
  const int there = rank_in_job(pe);
  if (there == pe) return here;
  return here + " of " + std::to_string(size()) + " (PE " + std::to_string(there) + " of the job)";
}

std::uint64_t substrate::identity() const {
  return known_->identity;
}

const std::string& substrate::part_name() const {
  return known_->name;
}

void substrate::identify(std::uint64_t identity, int pes) {
  known_ = std::make_shared<const watched_world>(watched_world{identity, pes, {}});
  pes_ = pes;
  peers_ = node_peers(*this);
  has_more_peers_ =
      peers_.count() != static_cast<std::uint32_t>(layout().local_size(node_of(rank())));
}

std::uint64_t substrate::identity_of_part(int color) {
  std::uint64_t h = identity() * 0x9e3779b97f4a7c15u + ++splits_;
  h = (h ^ (h >> 32)) * 0xbf58476d1ce4e5b9u + static_cast<std::uint64_t>(color);
  return (h ^ (h >> 29)) * 0x94d049bb133111ebu;
}

void substrate::belong_to(progress& pe) {
  if (has_ended()) refuse_thread("take_over");
  keep_going(pe);  // or throws
  if (&pe != owner_) parts_->remove(this);
  if (thread_context_ != nullptr) {
    auto thread_context = progress_context::of(pe);
    for (background_task* const w : background_tasks_) {
      thread_context_->remove(*w);
      thread_context->add(*w);
    }
    thread_context_ = std::move(thread_context);
  }
  owner_ = &pe;
  note_owner();
  pe.watch().enter(known_);
  if (finalizer_ != nullptr) finalizer_->belong_to(pe);
}

void substrate::record_to(std::shared_ptr<recording> r) {
  log_ = r == nullptr ? nullptr : r->log;
  recording_ = std::move(r);
  note_owner();
}

void substrate::note_owner() {
  if (log_ != nullptr) owner_->watch().record_to(log_);
}

std::string substrate::traced_number(std::uint64_t object) const {
  const bool is_part = log_ != nullptr && log_->pes() != size();
  return std::to_string(object) +
         (is_part ? " of a part of " + std::to_string(size()) + " PEs" : "");
}

void substrate::get_progress_thread() {
  wants_progress_thread_ = true;
  if (layout().nodes() > 1) need_progress_thread();
}

void substrate::need_progress_thread() {
  if (!wants_progress_thread_ || thread_context_ != nullptr) return;
  thread_context_ = progress_context::of(*owner_);
}

void substrate::add_background_task(background_task& w) {
  if (thread_context_ == nullptr) return;
  background_tasks_.push_back(&w);
  thread_context_->add(w);
}

void substrate::take_from_helper() noexcept {
  for (background_task* const w : std::exchange(background_tasks_, {})) thread_context_->remove(*w);
}

bool substrate::is_at_home() const {
  return is_of_this_process() && !progress::is_gone() && owner_ == &progress::of_this_pe();
}

void substrate::pause_briefly() noexcept {
  std::this_thread::yield();
}

void substrate::wait_for_pending_starts() {
  if (has_ended()) refuse_thread("a collective");
  if (owner_->is_in_background()) return;
  owner_->refuse_within("a collective");  // no progress beside the program is possible there
  while (has_pending_starts_) idle({.on = needs::all, .for_others = true, .world = identity()});
}

void substrate::become_part_of(const substrate& whole, int color) {
  split_path_ = whole.split_path_.empty() ? "" : whole.split_path_ + ".";
  split_path_ += std::to_string(whole.splits_);
  known_ = std::make_shared<const watched_world>(
      watched_world{identity(), pes_, "split " + split_path_ + ", color " + std::to_string(color)});
  streamed_->whole = whole.streamed_;
  wants_progress_thread_ = whole.wants_progress_thread_;
  thread_context_ = whole.thread_context_;
  recording_ = whole.recording_;
  log_ = whole.log_;
  unheard_ = whole.unheard_;
  parts_ = whole.parts_;
  parts_->add(this);
}

void substrate::set_finalizer(std::unique_ptr<world_finalizer> c) {
  finalizer_ = std::move(c);
  finalizer_->belong_to(*owner_);
}

void substrate::end_alone() noexcept {
  ends_alone_ = true;
  if (log_ != nullptr) log_->finish();
  take_from_helper();
}

void substrate::destroy_finalizer() noexcept {
  take_from_helper();
  finalizer_.reset();
}

void substrate::settle_together() {
  if (finalizer_ == nullptr || has_ended() || ends_alone_ || program_has_failed()) return;
  if (!finalizer_->is_at_home()) return;
  // (Without a called_scope: in the library of a second substrate the PE is known by its owner
  // only.)
  class ending {
   public:
    ending(current_call& call, const char* name)
        : call_(call), outer_(std::exchange(call, current_call{.name = name})) {}
    ending(const ending&) = delete;
    ending& operator=(const ending&) = delete;
    ~ending() { call_ = outer_; }

   private:
    current_call& call_;
    current_call outer_;
  };
  const ending scope(owner_->watch().call, finalizer_->name_of_end());
  finalizer_->settle();
  barrier();
}

void substrate::parts_of_whole::add(substrate* part) {
  const std::lock_guard lock(guard_);
  parts_.push_back(part);
}

void substrate::parts_of_whole::remove(substrate* part) noexcept {
  const std::lock_guard lock(guard_);
  std::erase(parts_, part);
}

substrate* substrate::parts_of_whole::at(std::size_t i) const {
  const std::lock_guard lock(guard_);
  return i < parts_.size() ? parts_[i] : nullptr;
}

void substrate::for_each_part(const std::function<void(substrate&)>& visit) {
  for (std::size_t i = 0; substrate* const part = parts_->at(i); ++i) visit(*part);
}

void substrate::abandon() noexcept {
  for_each_part([](substrate& part) { part.abandon_this(); });
  abandon_this();
}

void substrate::abandon_this() noexcept {
  is_abandoned_ = true;
  if (finalizer_ != nullptr) finalizer_->abandon();
}

void substrate::end() {
  // All PEs have made their common parts in the same order.
  const auto settle = [](substrate& world) {
    if (world.is_at_home()) world.finish_pending_starts();
    world.settle_together();
  };
  for_each_part(settle);
  settle(*this);
  for_each_part([](substrate& part) { part.close(); });
  close();
  if (!unheard_->text.empty()) throw world_error(unheard_->text);
  unheard_->is_for_exit = true;
}

void substrate::close() noexcept {
  take_from_helper();
  if (finalizer_ != nullptr) finalizer_->close();
  owner_ = nullptr;
}

void substrate::fail_unheard(const std::string& why) noexcept {
  const std::string text = pe_name(rank()) + ": " + why;
  fail(text);
  if (unheard_->text.empty()) unheard_->text = text;
}

void substrate::try_to_settle() noexcept {
  try {
    if (std::uncaught_exceptions() == 0) settle_together();
  } catch (const std::exception& e) {
    // The world has failed, or fails now, by a function of the program.
    fail_unheard(e.what());
  } catch (...) {
    fail_unheard("threw something that is no std::exception");
  }
  if (unheard_->is_for_exit && !unheard_->text.empty()) fail_at_exit(unheard_->text);
}

void substrate::end_together() noexcept {
  try_to_settle();
  destroy_finalizer();
}

void substrate::end_with_program() noexcept {
  if (ends_with_program()) try_to_settle();
}

progress& substrate::progress_of_this_thread() {
  return progress::of_this_pe();
}

void substrate::refuse_thread(const char* operation) const {
  if (has_ended()) {
    throw contract_error(std::string(operation) + ": " + pe_name(rank()) +
                         " has left this world: what the function of boxcar::run makes can be used "
                         "until the function returns; boxcar::join returns a world to keep");
  }
  if (!is_of_this_process()) {
    throw contract_error(std::string(operation) + " in process " + std::to_string(getpid()) +
                         ", which " + pe_name(rank()) + ", process " + std::to_string(process_) +
                         ", has forked: a forked child is no PE; let it start another program, or "
                         "end it by _exit without using Boxcar");
  }
  if (copy_ != &mark_of_copy) {
    throw contract_error(std::string(operation) + ": " + file_of(&mark_of_copy) +
                         " has another copy of Boxcar than " + file_of(copy_) +
                         ", which has made the world: link a program and its plug-ins with the "
                         "shared library of Boxcar, boxcar::shared or `pkg-config boxcar-shared`, "
                         "of which a process has one");
  }
  throw contract_error(std::string(operation) + " on another thread than that of " +
                       pe_name(rank()) +
                       ": a world, and what is made with it, belongs to one thread; a thread that "
                       "takes the place of another one calls world::take_over first");
}

}  // namespace boxcar::detail
