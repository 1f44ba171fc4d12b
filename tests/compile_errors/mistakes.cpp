// Mistakes found by a compiler, and its messages: behind `says:` stands a part of the one message
// for each mistake.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

using boxcar::world;

struct large {
  char bytes[65537];
};
struct named {
  int number;
  const char* name;
};
struct owner {
  std::vector<int> numbers;
};
struct heap {
  std::vector<int> numbers;
};
struct incomparable {
  int n;
};

// A compiler reports a mistake about a type once: each mistake has a type of its own.
template <int number>
struct another_owner {
  std::vector<int> numbers;
};
struct another_named {
  const char* name;
};

void pair_as_item(const world& w) {
  boxcar::conveyor<std::pair<int, long>> c(w);  // says: use a struct of such fields
}
void string_as_item(const world& w) {
  boxcar::conveyor<std::string> c(w);  // says: strings and vectors have no fixed size
}
void owner_as_item(const world& w) {
  boxcar::conveyor<owner> c(w);  // says: its bytes alone cannot be sent
}
void too_large(const world& w) {
  boxcar::conveyor<large> c(w);  // says: at most 65536 bytes
}
void pointer_in_item(const world& w) {
  boxcar::conveyor<named> c(w);  // says: specialise boxcar::allow_pointers
}
void wrong_take(boxcar::conveyor<int>& c) {
  c.pull_all([](const std::string&) {});  // says: take(item) or take(item, from)
}

void query_of_pointers(const world& w) {
  boxcar::biconveyor<std::string_view, int> c(w);  // says: specialise boxcar::allow_pointers
}
void wrong_answer(boxcar::biconveyor<int, int>& c) {
  const auto s = c.begin([](const std::string&) { return 1; });  // says: answer(query), and return
}
void wrong_elastic_answer(boxcar::elastic_biconveyor& c) {
  const auto s = c.begin([](int) {});  // says: callable as answer(query, reply)
}

void exchange_of_owners(const world& w) {
  boxcar::exchange<owner>(  // says: specialise boxcar::serializer
      w, [](auto&) {}, [](const owner&) {});
}
void exchange_of_pointers(const world& w) {
  boxcar::exchange<int*>(  // says: specialise boxcar::allow_pointers
      w, [](auto&) {}, [](int*) {});
}
void consumer_of_strings(const world& w) {
  boxcar::exchange<std::string>(
      w, [](auto&) {}, [](const std::string&) {});  // says: a std::string_view for strings
}
void wrong_consumer(const world& w) {
  boxcar::exchange<int>(
      w, [](auto&) {}, [](std::string) {});  // says: a std::string_view for strings
}
void wrong_producer(const world& w) {
  boxcar::exchange<int>(
      w, [](int) {}, [](int) {});  // says: callable as produce(out)
}
void wrong_answer_in_exchange(const world& w) {
  boxcar::exchange<int>(
      w, [](auto&) {}, [](std::string) { return 1; },  // says: answer(query) or answer(query, from)
      [](int, std::size_t) {});
}
void no_reply(const world& w) {
  boxcar::exchange<int>(
      w, [](auto&) {}, [](int) {}, [](int, std::size_t) {});  // says: must return the reply
}
void wrong_receiver(const world& w) {
  boxcar::exchange<int>(
      w, [](auto&) {}, [](int) { return 1; },
      [](int) {});  // says: callable as receive(reply, ticket)
}

void stream_of_vectors(const world& w) {
  boxcar::stream<std::vector<int>> s(  // says: strings and vectors have no fixed size
      w, [](const std::vector<int>&) {});
}
void wrong_handler(const world& w) {
  boxcar::stream<int> s(w, [](const std::string&) {});  // says: callable as handler(item)
}
void wrong_handler_of_arrays(const world& w) {
  boxcar::stream<int[]> s(w, [](int) {});  // says: callable with a std::span<const T>
}

void objects_that_cannot_migrate(const world& w) {
  boxcar::collection<heap> c(w, 10, [](std::int64_t) {  // says: objects migrate as bytes
    return heap{};
  });
}
void wrong_handler_of_objects(boxcar::collection<int>& c) {
  c.on_item<int>([](int&, const std::string&) {});  // says: handler(object, index, item)
}

void function_with_captures(const world& w, int n) {
  boxcar::remote_function f(w, [n](int m) { return n + m; });  // says: which other PEs do not have
}
void function_by_pointer(const world& w) {
  boxcar::remote_function f(w, &wrong_handler);  // says: does not name a function on other PEs
}
void function_of_any_type(const world& w) {
  boxcar::remote_function f(w, [](auto n) { return n; });  // says: the parameters must have types
}
void function_of_pointers(const world& w) {
  boxcar::remote_function f(  // says: specialise boxcar::allow_pointers
      w, [](const int* n) { return *n; });
}
void function_with_output(const world& w) {
  boxcar::remote_function f(w, [](int, long& n) { n = 1; });  // says: gets copies of its arguments
}
void function_without_its_state(const world& w, heap& h) {
  boxcar::remote_function f(w, h,
                            [](int n) { return n; });  // says: must be the state, by reference
}
void grouped_function_with_result(const world& w) {
  boxcar::remote_function_group g(w);
  (void)g.add([](int n) { return n; });  // says: a function of a group has no result
}

void array_of_owners(const world& w) {
  boxcar::distributed_array<another_owner<1>> a(w, 1);  // says: its bytes alone cannot be sent
}
void visitor_with_captures(boxcar::distributed_array<int>& a, int n) {
  a.visitor([n](int& x) { x += n; });  // says: pass values to `tell` as arguments
}
void visitor_of_anything(boxcar::distributed_array<int>& a) {
  a.visitor([](int& x, auto n) { x += n; });  // says: write them instead of `auto`
}
void wrong_visitor(boxcar::distributed_array<int>& a) {
  a.visitor([](std::string&, int) {});  // says: callable as visitor(element, arguments...)
}
void visitor_of_pointers(boxcar::distributed_array<int>& a) {
  a.visitor([](int&, const another_named&) {});  // says: specialise boxcar::allow_pointers
}
void question_with_captures(boxcar::distributed_array<int>& a, std::vector<std::size_t> i, int n) {
  a.ask(i, [n](int& x) { return x + n; });  // says: and an argument for each index
}
void wrong_question(boxcar::distributed_array<int>& a, std::vector<std::size_t> i) {
  a.ask(i, [](std::string) { return 1; });  // says: callable as function(element)
}
void no_answer(boxcar::distributed_array<int>& a, std::vector<std::size_t> i) {
  a.ask(i, [](int&) {});  // says: must return the result
}
void bag_of_owners(const world& w) {
  boxcar::bag<another_owner<2>> b(w);  // says: specialise boxcar::serializer
}
void bag_of_bits(const world& w) {
  boxcar::bag<bool> b(w);  // says: values of type bool have no addresses
}

void visitor_with_captures(boxcar::distributed_map<int, int>& map, int n) {
  (void)map.visitor([n](const int&, int& value) {
    value += n;
  });  // says: do not exist on the PE that owns the key
}
void visitor_without_types(boxcar::distributed_map<int, int>& map) {
  (void)map.visitor(
      [](const auto&, auto& value) { ++value; });  // says: give the types of all parameters
}
void visitor_without_value(boxcar::distributed_map<int, int>& map) {
  (void)map.visitor([](const int&) {});  // says: must take (const K& key, V& value, arguments...)
}
void visitor_of_set_with_value(boxcar::distributed_map<int>& set) {
  (void)set.visitor([](int&) {});  // says: must take (const K& key, arguments...)
}
void tell_without_arguments(boxcar::distributed_map<int, int>& map) {
  const auto add = map.visitor([](const int&, int& value, int n) { value += n; });
  map.tell(1, add);          // says: needs the arguments of the visitor
  map.tell(1, add, "text");  // says: does not convert to the parameter
}
void ask_without_result(boxcar::distributed_map<int, int>& map) {
  map.ask(std::vector<int>{1}, [](const int&, int&) {});  // says: must return a result
}
void combined_without_update(boxcar::distributed_map<int, int>& map) {
  (void)map.combine(map.visitor([](const int&, int&) {}));  // says: with one argument, the update
}

void sum_of_what_has_none(world& w) {
  static_cast<void>(w.reduce(incomparable{1}));  // says: `combine` must be callable
}
void broadcast_of_pointers(world& w) {
  static_cast<void>(w.broadcast("text"));  // says: specialise boxcar::allow_pointers
}
void gather_of_owners(world& w) {
  static_cast<void>(w.gather(heap{}));  // says: its bytes alone cannot be sent
}

void ignored_push(boxcar::conveyor<int>& c) {
  c.push(1, 0);  // says: there was no room
}
void ignored_pull(boxcar::elastic_conveyor& c) {
  c.pull();  // says: this is the item
}
