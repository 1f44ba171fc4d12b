// An epidemic in a population of persons who visit locations, as EpiSimdemics simulates epidemics
// (tram-thesis-2014, section 7.2.1). The persons and the locations belong to managers, which are
// the objects of two collections. On each day the persons send visits to the locations; a location
// that has all its visits finds out who meets whom, and sends the exposures back to the persons; a
// person with all exposures updates the health. Locations differ much in size, so that the managers
// migrate to PEs with less work.
//
// The same epidemic results for any number of PEs: random numbers are keyed by person and day, and
// exposures are integers, whose sum does not depend on the order. The epidemic is compared with the
// epidemic of a serial program.
//
//   boxcar run -n 4 -- epidemics --persons 100000 --days 60

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/disease.hpp"
#include "support/encounters.hpp"
#include "support/population.hpp"
#include "support/random.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/serial_epidemic.hpp"
#include "support/stopwatch.hpp"

namespace {

using examples::visit;

struct settings {
  examples::population people;
  std::uint64_t first_infectious;
  std::uint32_t days;
  std::int64_t person_managers;
  std::int64_t location_managers;
  std::size_t buffer;  // items
  int dimensions;      // of the grid of the streams
  bool is_by_hand;
  std::chrono::nanoseconds work;  // computation for each visit, in addition
  boxcar::balance_options balance;
  std::uint32_t balanced_every;
  bool is_checked;
};

struct person {
  examples::condition condition;
  std::uint64_t exposure = 0;  // of the day
};
// Person p belongs to the manager p mod the number of managers; so does location l.
using person_manager = std::vector<person>;
using location_manager = std::vector<visit>;  // the visits of the day

// The message of a location to a person.
struct infection {
  std::uint64_t person;
  std::uint64_t exposure;
};

struct result {
  std::vector<std::uint64_t> new_infections;  // of the days
  std::uint64_t digest = 0;                   // of the conditions of all persons
  std::uint64_t visits = 0;
  std::uint64_t encounters = 0;
  boxcar::balance_report balanced_first{};  // the locations, after the first day
  std::uint64_t moves = 0;
};

std::uint64_t digest_of(std::uint64_t person, const examples::condition& c) {
  return examples::mix(examples::mix(person << 2 | static_cast<std::uint32_t>(c.state)) + c.until);
}

// The options of the streams for items of a size. A message has 12 bytes more, the index of the
// manager and the sender; on the grid, also the destination.
boxcar::collection_options options_for(const boxcar::world& w, const settings& s,
                                       std::size_t item_bytes) {
  boxcar::collection_options options;
  options.stream.way = boxcar::route::balanced(w.size(), s.dimensions, w.local_size());
  options.stream.buffer_bytes = s.buffer * (item_bytes + 12 + (s.dimensions > 1 ? 4 : 0));
  return options;
}

class epidemic {
 public:
  epidemic(boxcar::world& w, const settings& s)
      : world_(w),
        settings_(s),
        disease_(s.people, s.first_infectious),
        persons_(
            w, s.person_managers, [this](std::int64_t m) { return persons_at_first(m); },
            options_for(w, s, sizeof(infection))),
        locations_(
            w, s.location_managers, [](std::int64_t) { return location_manager(); },
            options_for(w, s, sizeof(visit))),
        visits_to_(static_cast<std::size_t>(s.is_by_hand ? s.location_managers : 0)) {
    const auto managers = static_cast<std::uint64_t>(s.person_managers);
    to_person_ = persons_.on_item<infection>([managers](person_manager& m, const infection& i) {
      m[i.person / managers].exposure += i.exposure;
    });
    to_location_ =
        locations_.on_item<visit>([](location_manager& m, const visit& v) { m.push_back(v); });
    many_to_location_ =
        locations_.on_array<visit>([](location_manager& m, std::span<const visit> visits) {
          m.insert(m.end(), visits.begin(), visits.end());
        });
  }

  result simulate() {
    for (std::uint32_t day = 1; day <= settings_.days; ++day) {
      send_visits();
      expose_visitors();
      end_day(day);
      if (day % settings_.balanced_every == 1 % settings_.balanced_every) balance();
    }
    persons_.for_each_local([&](std::int64_t m, const person_manager& persons) {
      for (std::size_t i = 0; i != persons.size(); ++i) {
        result_.digest += digest_of(person_of(m, i), persons[i].condition);
      }
    });
    result_.new_infections = world_.reduce(result_.new_infections);
    result_.digest = world_.reduce(result_.digest);
    result_.visits = world_.reduce(result_.visits);
    result_.encounters = world_.reduce(result_.encounters);
    return result_;
  }

 private:
  // Returns the number of person i of a manager.
  [[nodiscard]] std::uint64_t person_of(std::int64_t manager, std::size_t i) const {
    return static_cast<std::uint64_t>(manager +
                                      settings_.person_managers * static_cast<std::int64_t>(i));
  }
  [[nodiscard]] person_manager persons_at_first(std::int64_t manager) const {
    person_manager persons;
    for (auto p = person_of(manager, 0); p < settings_.people.persons;
         p = person_of(manager, persons.size())) {
      persons.push_back({disease_.at_first(p)});
    }
    return persons;
  }

  void send_visits() {
    const boxcar::session scope = locations_.begin();
    persons_.for_each_local([&](std::int64_t manager, const person_manager& persons) {
      for (std::size_t i = 0; i != persons.size(); ++i) {
        send_visits_of(person_of(manager, i), persons[i].condition);
      }
      for (std::size_t to = 0; to != visits_to_.size(); ++to) send_buffer(to);
    });
    locations_.finish();
  }
  void send_visits_of(std::uint64_t p, const examples::condition& c) {
    const std::uint32_t infectivity = disease_.infectivity(p, c);
    const std::uint32_t susceptibility = disease_.susceptibility(p, c);
    settings_.people.for_each_stay(p, [&](const examples::stay& at) {
      const visit v{p, at, infectivity, susceptibility};
      const std::int64_t to = settings_.people.location_of(at.room) % settings_.location_managers;
      if (settings_.is_by_hand) {
        put_by_hand(static_cast<std::size_t>(to), v);
      } else {
        locations_.send(to_location_, to, v);
      }
    });
  }
  // By hand, each pair of a person manager and a location manager has a buffer. The person managers
  // of a PE fill their buffers one after the other, and so can use the same memory.
  void put_by_hand(std::size_t to, const visit& v) {
    visits_to_[to].push_back(v);
    if (visits_to_[to].size() == settings_.buffer) send_buffer(to);
  }
  // A buffer is a message of its own: the flush keeps the stream from joining buffers.
  void send_buffer(std::size_t to) {
    if (visits_to_[to].empty()) return;
    locations_.send_array(many_to_location_, static_cast<std::int64_t>(to), visits_to_[to]);
    locations_.flush();
    visits_to_[to].clear();
  }

  void expose_visitors() {
    const boxcar::session scope = persons_.begin();
    locations_.for_each_local([&](std::int64_t manager, location_manager& visits) {
      const std::uint64_t encounters =
          examples::find_encounters(visits, [&](std::uint64_t p, std::uint64_t exposure) {
            const auto to = static_cast<std::int64_t>(p) % settings_.person_managers;
            persons_.send(to_person_, to, infection{p, exposure});
          });
      const auto count = static_cast<std::int64_t>(visits.size());
      if (settings_.work.count() != 0) world_.compute(settings_.work * count);
      locations_.set_load(manager, static_cast<double>(visits.size() + encounters));
      result_.visits += visits.size();
      result_.encounters += encounters;
      visits.clear();
    });
    persons_.finish();
  }

  void end_day(std::uint32_t day) {
    std::uint64_t infected = 0;
    persons_.for_each_local([&](std::int64_t manager, person_manager& persons) {
      for (std::size_t i = 0; i != persons.size(); ++i) {
        person& p = persons[i];
        if (disease_.end_day(person_of(manager, i), day, p.exposure, p.condition)) ++infected;
        p.exposure = 0;
      }
      persons_.set_load(manager, static_cast<double>(persons.size()));
    });
    result_.new_infections.push_back(infected);
  }

  void balance() {
    const boxcar::balance_report report = boxcar::rebalance(locations_, settings_.balance);
    if (result_.new_infections.size() == 1) result_.balanced_first = report;
    result_.moves += report.objects_moved;
    result_.moves += boxcar::rebalance(persons_, settings_.balance).objects_moved;
  }

  boxcar::world& world_;
  settings settings_;
  examples::disease disease_;
  boxcar::collection<person_manager> persons_;
  boxcar::collection<location_manager> locations_;
  boxcar::handler_number<infection> to_person_;
  boxcar::handler_number<visit> to_location_;
  boxcar::handler_number<visit[]> many_to_location_;
  std::vector<std::vector<visit>> visits_to_;  // by hand: the buffer for each location manager
  result result_;
};

void check(const settings& s, const result& r) {
  const examples::disease d(s.people, s.first_infectious);
  const examples::serial_epidemic right = examples::simulate_epidemic(s.people, d, s.days);
  examples::require(r.new_infections == right.new_infections,
                    "the curve is not that of a serial program");
  std::uint64_t digest = 0;
  for (std::uint64_t p = 0; p < s.people.persons; ++p) digest += digest_of(p, right.conditions[p]);
  examples::require(r.digest == digest,
                    "a person is not in the condition that a serial program gives the person");
}

void print(const settings& s, const result& r, double seconds) {
  std::uint64_t infected = 0;
  std::printf("new infections on each day:");
  for (std::size_t i = 0; i != r.new_infections.size(); ++i) {
    if (i % 10 == 0) std::printf("\n  from day %3zu ", i + 1);
    std::printf(" %7s", examples::with_commas(r.new_infections[i]).c_str());
    infected += r.new_infections[i];
  }
  std::printf(
      "\n%s of %s persons were infected by %s in %s encounters%s\n",
      examples::with_commas(infected).c_str(), examples::with_commas(s.people.persons).c_str(),
      examples::with_commas(s.first_infectious).c_str(),
      examples::with_commas(r.encounters).c_str(), s.is_checked ? ", as in a serial program" : "");
  std::printf("%s visits in %.3f s, %.3f M visits/s\n", examples::with_commas(r.visits).c_str(),
              seconds, static_cast<double>(r.visits) / seconds * 1e-6);
  std::printf(
      "%s managers have migrated; the PE with the most work in locations had %.2f times the mean, "
      "and %.2f times after the first rebalance\n",
      examples::with_commas(r.moves).c_str(), r.balanced_first.max_over_mean_before,
      r.balanced_first.max_over_mean_after);
}

boxcar::balance_policy policy_of(const std::string& word) {
  if (word == "diffusion") return boxcar::balance_policy::diffusion;
  if (word == "rotate") return boxcar::balance_policy::rotate;
  if (word == "none") return boxcar::balance_policy::none;
  return boxcar::balance_policy::greedy;
}

settings settings_from(examples::arguments& given) {
  constexpr std::uint64_t most = 1'000'000'000;
  settings s{};
  s.people.persons = given.number("--persons", 10'000, {1, most}, "persons");
  s.people.locations =
      static_cast<std::uint32_t>(given.number("--locations", 1000, {1, most}, "locations"));
  s.people.seed = given.number("--seed", 1, {0, most}, "of the random numbers");
  s.first_infectious = given.number("--first", 10, {0, most}, "persons infectious at first");
  s.days = static_cast<std::uint32_t>(given.number("--days", 30, {0, 10'000}, "days"));
  s.person_managers = static_cast<std::int64_t>(
      given.number("--person-managers", 64, {1, 1'000'000}, "managers of persons"));
  s.location_managers = static_cast<std::int64_t>(
      given.number("--location-managers", 64, {1, 1'000'000}, "managers of locations"));
  s.dimensions =
      static_cast<int>(given.number("--dimensions", 1, {1, 8}, "of the grid of the streams"));
  s.buffer = given.number("--buffer", 64, {1, 1'000'000}, "items of a buffer");
  s.is_by_hand = given.flag("--by-hand", "a buffer for each pair of managers, and no grid");
  if (given.flag("--unaggregated", "buffers of one item")) s.buffer = 1;
  s.balance.policy = policy_of(
      given.choice("--balance", {"greedy", "diffusion", "rotate", "none"}, "how managers migrate"));
  s.balanced_every = static_cast<std::uint32_t>(
      given.number("--balance-every", 7, {1, 10'000}, "days from one rebalance to the next"));
  s.work = std::chrono::nanoseconds(
      given.number("--work", 0, {0, 1'000'000}, "ns to compute for each visit, in addition"));
  const bool is_small = s.people.persons * s.days <= 2'000'000;
  s.is_checked =
      given.flag("--check", "compare with a serial program, also if that takes long") || is_small;
  if (s.is_by_hand) s.dimensions = 1;
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Simulates an epidemic of persons who visit locations.");
    const settings s = settings_from(given);
    if (!given.complete(w)) return;

    epidemic e(w, s);
    examples::stopwatch watch(w);
    const result r = e.simulate();
    const double seconds = watch.seconds();
    if (w.rank() != 0) return;
    if (s.is_checked) check(s, r);
    print(s, r, seconds);
  });
}
