// The bootstrap by PMIx. The PMIx library is opened when a PMIx launcher has started the
// process.
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <string>

#include <boxcar/error.hpp>

#include "basis/hexadecimal.hpp"
#include "substrate/environment.hpp"
#include "substrate/ofi/bootstraps.hpp"

#if __has_include(<pmix.h>)
#include <pmix.h>

namespace boxcar::detail::ofi {
namespace {

class pmix_library {
 public:
  // Throws system_error.
  pmix_library() {
    for (const char* file : {"libpmix.so.2", "libpmix.so"}) {
      if (handle_ == nullptr) handle_ = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    }
    if (handle_ == nullptr) {
      throw system_error(
          std::string("a launcher that speaks PMIx started the program, and its library cannot be "
                      "opened: ") +
          dlerror() + "; install libpmix, or start the program by `boxcar run`");
    }
    find(init, "PMIx_Init");
    find(finalize, "PMIx_Finalize");
    find(abort, "PMIx_Abort");
    find(put, "PMIx_Put");
    find(commit, "PMIx_Commit");
    find(fence, "PMIx_Fence");
    find(get, "PMIx_Get");
    find(error_text, "PMIx_Error_string");
  }

  void check(pmix_status_t status, const char* function) const {
    if (status == PMIX_SUCCESS) return;
    throw system_error(std::string(function) + " failed: " + error_text(status));
  }

  decltype(&PMIx_Init) init = nullptr;
  decltype(&PMIx_Finalize) finalize = nullptr;
  decltype(&PMIx_Abort) abort = nullptr;
  decltype(&PMIx_Put) put = nullptr;
  decltype(&PMIx_Commit) commit = nullptr;
  decltype(&PMIx_Fence) fence = nullptr;
  decltype(&PMIx_Get) get = nullptr;
  decltype(&PMIx_Error_string) error_text = nullptr;

 private:
  template <typename Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr) throw system_error(std::string("libpmix has no ") + name);
  }

  void* handle_ = nullptr;  // never closed
};

class pmix_bootstrap final : public bootstrap {
 public:
  pmix_bootstrap() {
    library_.check(library_.init(&me_, nullptr, 0), "PMIx_Init");
    pmix_value_t* size = nullptr;
    library_.check(ask_of_job(PMIX_JOB_SIZE, size), "PMIx_Get");
    size_ = static_cast<int>(size->data.uint32);
  }

  [[nodiscard]] const char* name() const override { return "PMIx"; }
  [[nodiscard]] int rank() const override { return static_cast<int>(me_.rank); }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool is_on_one_machine() override {
    pmix_value_t* here = nullptr;
    return ask_of_job(PMIX_LOCAL_SIZE, here) == PMIX_SUCCESS &&
           static_cast<int>(here->data.uint32) == size_;
  }

  void publish(const std::string& mine) override {
    std::string text = to_hexadecimal(mine);
    pmix_value_t value{};
    value.type = PMIX_STRING;
    value.data.string = text.data();
    const std::string key = key_of(fence_count_++);
    library_.check(library_.put(PMIX_GLOBAL, key.c_str(), &value), "PMIx_Put");
    library_.check(library_.commit(), "PMIx_Commit");
    pmix_info_t collect{};
    std::strncpy(collect.key, PMIX_COLLECT_DATA, sizeof collect.key - 1);
    collect.value.type = PMIX_BOOL;
    collect.value.data.flag = true;
    library_.check(library_.fence(nullptr, 0, &collect, 1), "PMIx_Fence");
  }
  [[nodiscard]] std::string lookup(int pe, int turn) override {
    pmix_proc_t other = me_;
    other.rank = static_cast<pmix_rank_t>(pe);
    pmix_value_t* value = nullptr;
    library_.check(library_.get(&other, key_of(turn).c_str(), nullptr, 0, &value), "PMIx_Get");
    return from_hexadecimal(value->data.string);
  }

  void end(int status, bool /*is_in_world*/) noexcept override {
    if (status == 0) {
      library_.finalize(nullptr, 0);
    } else {
      library_.abort(status, "", nullptr, 0);
    }
  }

 private:
  // (Values are small and few, and libpmix exports no function to free a value: so values are not
  // freed.)
  pmix_status_t ask_of_job(const char* what, pmix_value_t*& answer) const {
    pmix_proc_t job = me_;
    job.rank = PMIX_RANK_WILDCARD;
    return library_.get(&job, what, nullptr, 0, &answer);
  }
  static std::string key_of(int turn) { return "boxcar-" + std::to_string(turn); }

  pmix_library library_;
  pmix_proc_t me_{};
  int size_ = 0;
};

}  // namespace

std::unique_ptr<bootstrap> bootstrap_by_pmix() {
  return has_pmix_from_environment() ? std::make_unique<pmix_bootstrap>() : nullptr;
}

}  // namespace boxcar::detail::ofi

#else

namespace boxcar::detail::ofi {

std::unique_ptr<bootstrap> bootstrap_by_pmix() {
  if (!has_pmix_from_environment()) return nullptr;
  throw system_error(
      "a launcher that speaks PMIx started the program, and Boxcar was built where the headers of "
      "PMIx were missing: install libpmix-dev and build it again, or start the program by `boxcar "
      "run`");
}

}  // namespace boxcar::detail::ofi

#endif
