// A finalize_hook ends the pending requests of an object at the beginning of MPI_Finalize. An
// object can live longer than MPI: the world of a program in C is never destroyed, and a world with
// static storage may be destroyed after MPI_Finalize. Receives that are still posted then are an
// error of the program by the standard of MPI, and MPICH on UCX prints a warning for each of them.
#pragma once

#include <functional>

namespace boxcar::detail::mpi {

// A member of an object with requests. The object declares the hook after all members that the
// function of the hook uses.
class finalize_hook {
 public:
  // `end_requests` throws nothing.
  explicit finalize_hook(std::function<void()> end_requests);
  finalize_hook(const finalize_hook&) = delete;
  finalize_hook& operator=(const finalize_hook&) = delete;
  ~finalize_hook();

 private:
  friend void run_finalize_hooks() noexcept;
  std::function<void()> end_requests_;
};

// Calls the functions of all existing hooks. Preconditions: the other PEs have departed, as far as
// this PE can see, and no other thread uses the objects of the hooks. Afterwards the objects make
// no calls of MPI: MPI is about to be finalised.
void run_finalize_hooks() noexcept;

}  // namespace boxcar::detail::mpi
