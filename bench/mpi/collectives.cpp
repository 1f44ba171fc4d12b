#include "mpi/collectives.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "mpi/communicator.hpp"
#if MPI_VERSION < 4 && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

// The three forms of a collective: the last is of MPI 4.0, or an extension of Open MPI 4.
#if MPI_VERSION >= 4
#define BOXCAR_FORMS(name, begin) MPI_##name, MPI_##begin, MPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define BOXCAR_FORMS(name, begin) MPI_##name, MPI_##begin, MPIX_##name##_init
#else
#define BOXCAR_FORMS(name, begin) MPI_##name, MPI_##begin, nullptr
#endif

namespace boxcar::bench {
namespace {

using word = collective_job::word;

struct forms {
  std::function<int()> call;
  std::function<int(MPI_Request*)> begin;
  std::function<int(MPI_Request*)> make;  // none: the MPI lacks the form
};

template <typename Call, typename Begin, typename Make, typename... Arguments>
forms forms_of(Call call, Begin begin, Make make, Arguments... arguments) {
  forms all;
  all.call = [=] { return call(arguments...); };
  all.begin = [=](MPI_Request* r) { return begin(arguments..., r); };
  if constexpr (!std::is_null_pointer_v<Make>) {
    all.make = [=](MPI_Request* r) { return make(arguments..., MPI_INFO_NULL, r); };
  }
  return all;
}

// The job's collective in MPI, with memory for it.
class mpi_collective {
 public:
  explicit mpi_collective(bench::job& work)
      : runs_(*work.as_collective()), given_(runs_.given()), got_(runs_.got()) {}

  [[nodiscard]] forms its_forms() {
    const auto n = static_cast<int>(runs_.words());
    MPI_Datatype const type = MPI_UINT64_T;
    MPI_Op const op = MPI_SUM;
    MPI_Comm const comm = all_.get();
    word* const in = given_.data();
    word* const out = got_.data();
    const std::string_view which = runs_.which();
    if (which == "barrier") return forms_of(BOXCAR_FORMS(Barrier, Ibarrier), comm);
    if (which == "broadcast") return forms_of(BOXCAR_FORMS(Bcast, Ibcast), out, n, type, 0, comm);
    if (which == "reduce") {
      return forms_of(BOXCAR_FORMS(Reduce, Ireduce), in, out, n, type, op, 0, comm);
    }
    if (which == "all_reduce") {
      return forms_of(BOXCAR_FORMS(Allreduce, Iallreduce), in, out, n, type, op, comm);
    }
    if (which == "scatter") {
      return forms_of(BOXCAR_FORMS(Scatter, Iscatter), in, n, type, out, n, type, 0, comm);
    }
    if (which == "gather") {
      return forms_of(BOXCAR_FORMS(Gather, Igather), in, n, type, out, n, type, 0, comm);
    }
    if (which == "all_gather") {
      return forms_of(BOXCAR_FORMS(Allgather, Iallgather), in, n, type, out, n, type, comm);
    }
    if (which == "all_to_all") {
      return forms_of(BOXCAR_FORMS(Alltoall, Ialltoall), in, n, type, out, n, type, comm);
    }
    if (which == "reduce_scatter") {
      return forms_of(BOXCAR_FORMS(Reduce_scatter_block, Ireduce_scatter_block), in, out, n, type,
                      op, comm);
    }
    if (which == "scan") return forms_of(BOXCAR_FORMS(Scan, Iscan), in, out, n, type, op, comm);
    return forms_of(BOXCAR_FORMS(Exscan, Iexscan), in, out, n, type, op, comm);
  }

  void barrier() { check_mpi(MPI_Barrier(all_.get()), "MPI_Barrier"); }

  template <typename Form>
  void run(const Form& form) {
    const bool in_place = runs_.which() == "broadcast";
    for (std::uint64_t i = 0; i < runs_.runs(); ++i) {
      runs_.next(in_place ? std::span(got_).first(given_.size()) : std::span(given_));
      form.run(runs_);
      runs_.take(got_);
    }
  }

 private:
  communicator all_;
  collective_job& runs_;
  std::vector<word> given_;
  std::vector<word> got_;
};

// `Form` has a name, is made of `forms`, and executes a run; the job computes during the run, if it
// overlaps.
template <typename Form>
class by_mpi final : public baseline {
 public:
  explicit by_mpi(bench::job& work)
      : job_(work), collective_(work), form_(collective_.its_forms()) {}
  [[nodiscard]] std::string name() const override { return Form::name; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void prepare() override { collective_.barrier(); }
  void run() override { collective_.run(form_); }

 private:
  bench::job& job_;
  mpi_collective collective_;
  Form form_;
};

class blocking {
 public:
  static constexpr const char* name = "blocking";
  explicit blocking(forms all) : forms_(std::move(all)) {}
  void run(collective_job&) const { check_mpi(forms_.call(), "a collective"); }

 private:
  forms forms_;
};

class nonblocking {
 public:
  static constexpr const char* name = "nonblocking";
  explicit nonblocking(forms all) : forms_(std::move(all)) {}
  void run(collective_job& job) const {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(forms_.begin(&request), "a collective that does not block");
    job.compute();
    check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  }

 private:
  forms forms_;
};

class persistent {
 public:
  static constexpr const char* name = "persistent";
  explicit persistent(const forms& all) {
    if (!all.make) throw std::runtime_error("this MPI has no persistent collectives");
    check_mpi(all.make(&request_), "a persistent collective");
  }
  persistent(const persistent&) = delete;
  persistent& operator=(const persistent&) = delete;
  ~persistent() {
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
  }
  void run(collective_job& job) const {
    MPI_Request request = request_;  // the persistent request itself stays
    check_mpi(MPI_Start(&request), "MPI_Start");
    job.compute();
    check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace

void make_mpi_collectives(job& work, baselines& all) {
  const bool must_go_on = work.as_overlap() != nullptr;
  if (!must_go_on) all.push_back(std::make_unique<by_mpi<blocking>>(work));
  all.push_back(std::make_unique<by_mpi<nonblocking>>(work));
  all.push_back(std::make_unique<by_mpi<persistent>>(work));
}

}  // namespace boxcar::bench
