// A map question asks for values of a distributed map one by one, at any time in a session:
// `co_await question.ask(key)`. The questions and answers of many coroutines travel together.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <boxcar/detail/map_core.hpp>
#include <boxcar/detail/map_visitor.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/remote_function.hpp>
#include <boxcar/remote_function_options.hpp>
#include <boxcar/remote_result.hpp>
#include <boxcar/session.hpp>
#include <boxcar/termination.hpp>

namespace boxcar {

namespace detail {

// Answers a question on the owner of the key, as a remote function whose state is the map core.
template <typename K, typename V, typename F, typename R, typename Arguments>
struct map_answer;
template <typename K, typename V, typename F, typename R, typename... A>
struct map_answer<K, V, F, R, type_list<A...>> {
  using function = remote_function<map_answer, map_core<K, V>>;
  using result = std::optional<R>;

  result operator()(map_core<K, V>& core, const K& key, const A&... arguments) const {
    auto* const entry = core.table().find(key, map_core<K, V>::table_type::hash_of(key));
    if (entry == nullptr) return std::nullopt;
    return result(map_function<K, V, F>::call(core.map(), *entry, arguments...));
  }
  // Returns the result to come.
  [[nodiscard]] static remote_result<result> ask(function& f, int owner, const K& key,
                                                 const A&... arguments) {
    return f.ask(owner, key, arguments...);
  }
};

template <typename K, typename V, typename F>
struct map_answer_of {
  using arguments = typename map_function<K, V, F>::arguments;
  using result = std::remove_cvref_t<typename call_signature<F>::result>;
  using type = map_answer<K, V, F, result, arguments>;
};

}  // namespace detail

// The end of a question on one PE. `f(const K& key, V& value, arguments...)` returns the answer;
// the rules for `f` are those of visitors (boxcar/distributed_map.hpp). Thread safety: as of the
// map, which outlives the question.
//
//   boxcar::map_question count(map, [](const std::string&, long& n) { return n; });
//   const auto session = count.begin();
//   const std::optional<long> n = co_await count.ask("word");  // in a coroutine
//   count.finish();
template <typename K, typename V, typename F>
class map_question {
  static_assert(detail::is_map_function<K, V, F>());
  using answer = typename detail::map_answer_of<K, V, F>::type;
  static_assert(!std::is_void_v<typename detail::map_answer_of<K, V, F>::result>,
                "the function of a question must return a result: use `tell` without one");

 public:
  // Collective. Throws argument_error as the constructor of remote_function does.
  map_question(distributed_map<K, V>& map, F, const remote_function_options& options = {})
      : core_(&map.core()), function_(core_->the_world(), *core_, answer{}, options) {}

  // Local. Legal in a session, also in a visitor. Asks the owner of the key: `co_await
  // q.ask(key, arguments...)` in a coroutine, `.wait()` elsewhere. The result is empty if the map
  // does not have the key. An exception of `f` comes back as remote_error. Asks and the messages of
  // the map have no common order.
  template <typename... A>
  [[nodiscard]] auto ask(const K& key, const A&... arguments) {
    return ask_as(typename detail::map_answer_of<K, V, F>::arguments{}, key, arguments...);
  }

  // --- Sessions ----------------------------------------------------------------------------------
  // As of remote functions. The session of the question is its own: the map may have a session as
  // well, or none.
  session begin(const termination& ending = quiescence()) { return function_.begin(ending); }
  void flush() { function_.flush(); }
  bool poll() { return function_.poll(); }
  void done(std::int64_t producers = 1) { function_.done(producers); }
  void finish() { function_.finish(); }
  [[nodiscard]] bool on() const { return function_.on(); }

 private:
  template <typename... W, typename... A>
  auto ask_as(detail::type_list<W...>, const K& key, const A&... arguments) {
    constexpr bool fits = sizeof...(A) == sizeof...(W);
    static_assert(fits, "`ask` needs the arguments of the function behind the key and the value");
    if constexpr (fits) {
      const int owner = core_->owner_of(detail::map_core<K, V>::table_type::hash_of(key));
      return answer::ask(function_, owner, key, detail::converted<W>(arguments)...);
    }
  }

  detail::map_core<K, V>* core_;
  typename answer::function function_;
};

}  // namespace boxcar
