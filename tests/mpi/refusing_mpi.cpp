#include "mpi/refusing_mpi.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mpi.h>
#include <vector>

namespace boxcar::test {
namespace {

constexpr int error_code = MPI_ERR_INTERN;

struct started {
  std::string_view by;
  int bytes = 0;
};

struct state {
  std::vector<refusal> unwanted;
  int refused = 0;
  std::map<MPI_Request, started> requests;  // the latest of each handle, as MPI reuses handles
  std::map<std::string_view, int> starts;   // by function
  int withhold_at_least = 0;                // the next receive of at least this size, if not 0
  MPI_Request withheld = MPI_REQUEST_NULL;
  int largest_tag = 0;  // if not MPI's
};

// Never destroyed: MPI is called at the very end.
state& here() {
  static auto* only = new state;
  return *only;
}

bool is_refused(std::string_view function, const started& what) {
  bool is = false;
  for (refusal& r : here().unwanted) {
    if (r.function != function || (!r.started_by.empty() && r.started_by != what.by)) continue;
    if (what.bytes < r.at_least || what.bytes > r.at_most) continue;
    if (r.spared > 0) {
      --r.spared;
    } else if (r.refused > 0) {
      --r.refused;
      is = true;
    }
  }
  if (is) ++here().refused;
  return is;
}

template <typename Action>
int unless_refused(std::string_view function, const Action& action) {
  return is_refused(function, {}) ? error_code : action();
}

template <typename Action>
int start(std::string_view function, int bytes, MPI_Request* request, const Action& action) {
  if (is_refused(function, {function, bytes})) return error_code;
  const int code = action();
  if (code != MPI_SUCCESS) return code;
  here().requests[*request] = {function, bytes};
  ++here().starts[function];
  return code;
}

// If there are several requests, the first counts.
template <typename Action>
int test(std::string_view function, const MPI_Request* request, const Action& action) {
  const auto found = request == nullptr ? here().requests.end() : here().requests.find(*request);
  const started what = found == here().requests.end() ? started{} : found->second;
  return is_refused(function, what) ? error_code : action();
}

}  // namespace

void refuse(const refusal& unwanted) {
  here().unwanted.push_back(unwanted);
}

void refuse_nothing() {
  here().unwanted.clear();
  here().refused = 0;
}

void withhold_next_receive(int at_least) {
  here().withhold_at_least = at_least;
}

void release_receive() {
  here().withheld = MPI_REQUEST_NULL;
}

void offer_largest_tag(int tag) {
  here().largest_tag = tag;
}

int count_refused() {
  return here().refused;
}

int count_started(std::string_view function) {
  return here().starts[function];
}

std::string text_of_refusal() {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  PMPI_Error_string(error_code, text.data(), &length);
  return text.data();
}

}  // namespace boxcar::test

// Boxcar's library calls the following functions in place of MPI's own functions.
using boxcar::test::here;
using boxcar::test::start;
using boxcar::test::test;
using boxcar::test::unless_refused;

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c,
              MPI_Request* request) {
  return start("MPI_Isend", count, request,
               [&] { return PMPI_Isend(data, count, type, to, tag, c, request); });
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c,
               MPI_Request* request) {
  return start("MPI_Issend", count, request,
               [&] { return PMPI_Issend(data, count, type, to, tag, c, request); });
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
                  MPI_Request* request) {
  return start("MPI_Recv_init", count, request,
               [&] { return PMPI_Recv_init(data, count, type, from, tag, c, request); });
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
              MPI_Request* request) {
  const int code = start("MPI_Irecv", count, request,
                         [&] { return PMPI_Irecv(data, count, type, from, tag, c, request); });
  if (here().withhold_at_least != 0 && count >= here().withhold_at_least) {
    here().withhold_at_least = 0;
    here().withheld = *request;
  }
  return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return test("MPI_Test", request, [&] {
    if (*request == MPI_REQUEST_NULL || *request != here().withheld) {
      return PMPI_Test(request, flag, status);
    }
    *flag = 0;
    return MPI_SUCCESS;
  });
}

int MPI_Testsome(int count, MPI_Request* requests, int* ended, int* indices, MPI_Status* statuses) {
  const MPI_Request* first =
      std::find_if(requests, requests + count, [](MPI_Request r) { return r != MPI_REQUEST_NULL; });
  return test("MPI_Testsome", first == requests + count ? nullptr : first, [&] {
    MPI_Request* hidden = std::find(requests, requests + count, here().withheld);
    if (here().withheld == MPI_REQUEST_NULL || hidden == requests + count) {
      return PMPI_Testsome(count, requests, ended, indices, statuses);
    }
    *hidden = MPI_REQUEST_NULL;
    const int code = PMPI_Testsome(count, requests, ended, indices, statuses);
    *hidden = here().withheld;
    return code;
  });
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return test("MPI_Testall", count == 0 ? nullptr : requests,
              [&] { return PMPI_Testall(count, requests, flag, statuses); });
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  return unless_refused("MPI_Get_count", [&] { return PMPI_Get_count(status, type, count); });
}

int MPI_Cancel(MPI_Request* request) {
  return test("MPI_Cancel", request, [&] { return PMPI_Cancel(request); });
}

int MPI_Comm_idup(MPI_Comm original, MPI_Comm* made, MPI_Request* request) {
  return start("MPI_Comm_idup", 0, request,
               [&] { return PMPI_Comm_idup(original, made, request); });
}

int MPI_Ibarrier(MPI_Comm c, MPI_Request* request) {
  return start("MPI_Ibarrier", 0, request, [&] { return PMPI_Ibarrier(c, request); });
}

int MPI_Iallreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c,
                   MPI_Request* request) {
  return start("MPI_Iallreduce", count, request,
               [&] { return PMPI_Iallreduce(mine, all, count, type, op, c, request); });
}

int MPI_Comm_set_errhandler(MPI_Comm c, MPI_Errhandler handler) {
  return unless_refused("MPI_Comm_set_errhandler",
                        [&] { return PMPI_Comm_set_errhandler(c, handler); });
}

int MPI_Comm_get_attr(MPI_Comm c, int key, void* value, int* found) {
  return unless_refused("MPI_Comm_get_attr", [&] {
    const int code = PMPI_Comm_get_attr(c, key, value, found);
    if (key == MPI_TAG_UB && here().largest_tag != 0) {
      *static_cast<int**>(value) = &here().largest_tag;
    }
    return code;
  });
}

int MPI_Comm_rank(MPI_Comm c, int* rank) {
  return unless_refused("MPI_Comm_rank", [&] { return PMPI_Comm_rank(c, rank); });
}

int MPI_Comm_size(MPI_Comm c, int* size) {
  return unless_refused("MPI_Comm_size", [&] { return PMPI_Comm_size(c, size); });
}

int MPI_Comm_test_inter(MPI_Comm c, int* is) {
  return unless_refused("MPI_Comm_test_inter", [&] { return PMPI_Comm_test_inter(c, is); });
}

int MPI_Query_thread(int* level) {
  return unless_refused("MPI_Query_thread", [&] { return PMPI_Query_thread(level); });
}
