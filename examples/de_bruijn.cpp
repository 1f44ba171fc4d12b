// Builds the de Bruijn graph of a genome, a FASTA file, plain or gzip, and finds its unitigs: the
// longest paths without a branch. Each PE reads a share of the file. A set over all PEs has the
// edges, a map from k-mers to their extensions has the nodes, and a disjoint set unites the k-mers
// of a path. The result is compared with a serial walk along all paths.
//
//   boxcar run -n 4 -- de_bruijn -k 21 data/lambda_virus.fa.gz

#include <cstdio>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/kmer.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/walk_unitigs.hpp"

namespace {

using examples::extensions;
using edge_set = boxcar::distributed_map<std::uint64_t>;
using node_map = boxcar::distributed_map<std::uint64_t, extensions>;

// Collective. Sends each k-mer and each edge of the share of the PE to its owner.
void read_graph(boxcar::world& w, const std::string& path, int k, edge_set& edges,
                node_map& nodes) {
  const examples::share mine{static_cast<std::uint64_t>(w.rank()),
                             static_cast<std::uint64_t>(w.size())};
  const auto extend =
      nodes.visitor([](const std::uint64_t&, extensions& all, extensions more) { all |= more; });
  const boxcar::session of_edges = edges.begin();
  const boxcar::session of_nodes = nodes.begin();
  examples::fasta_reader words(path, mine);
  examples::for_each_kmer(words, k + 1, [&](std::uint64_t edge) { edges.insert(edge); });
  examples::fasta_reader kmers(path, mine);
  examples::for_each_kmer(kmers, k, [&](std::uint64_t kmer) { nodes.tell(kmer, extend, 0); });
  edges.finish();
  edges.for_each_local([&](std::uint64_t edge) {
    for (const auto& end : examples::ends_of(edge, k)) nodes.tell(end.kmer, extend, end.bit);
  });
  nodes.finish();
}

// Collective. Unites the k-mers at the ends of each edge without a branch.
void unite_paths(int k, edge_set& edges, node_map& nodes,
                 boxcar::disjoint_set<std::uint64_t>& paths) {
  std::vector<examples::edge_end> ends;
  std::vector<std::uint64_t> kmers;
  edges.for_each_local([&](std::uint64_t edge) {
    for (const auto& end : examples::ends_of(edge, k)) {
      ends.push_back(end);
      kmers.push_back(end.kmer);
    }
  });
  const auto found = nodes.get(kmers);
  const boxcar::session s = paths.begin();
  nodes.for_each_local([&](std::uint64_t kmer, extensions) { paths.insert(kmer); });
  for (std::size_t i = 0; i != ends.size(); i += 2) {
    const bool is_path = ends[i].is_alone(*found[i]) && ends[i + 1].is_alone(*found[i + 1]);
    if (is_path) paths.unite(kmers[i], kmers[i + 1]);
  }
  paths.finish();
}

// Collective. Returns the numbers of unitigs, and of k-mers of the longest.
examples::unitig_summary summarise(boxcar::world& w, boxcar::disjoint_set<std::uint64_t>& paths) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ones;
  paths.for_each([&](std::uint64_t, std::uint64_t path) { ones.emplace_back(path, 1); });
  examples::unitig_summary all;
  auto lengths = boxcar::reduce_by_key(w, ones);
  for (const auto& [path, kmers] : lengths.local()) all.add(kmers);
  all.unitigs = w.reduce(all.unitigs);
  all.longest = w.reduce(all.longest, boxcar::maximum{});
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Builds the de Bruijn graph of a FASTA file.");
    const auto k = static_cast<int>(given.number("-k", 31, {1, 31}, "bases of a k-mer, odd"));
    const std::string path = given.file("a FASTA file, plain or compressed by gzip");
    if (!given.complete(w)) return;
    if (k % 2 == 0) {
      throw boxcar::argument_error("-k " + std::to_string(k) + " is even, so a k-mer may be its " +
                                   "own reverse complement: give an odd number");
    }
    edge_set edges(w);
    node_map nodes(w);
    boxcar::disjoint_set<std::uint64_t> paths(w);
    read_graph(w, path, k, edges, nodes);
    unite_paths(k, edges, nodes, paths);
    const examples::unitig_summary unitigs = summarise(w, paths);

    const examples::serial_graph right(path, k);
    const std::uint64_t num_nodes = nodes.size();
    const std::uint64_t num_edges = edges.size();
    examples::require(num_nodes == right.nodes(), "there are more or fewer nodes");
    examples::require(num_edges == right.edges(), "there are more or fewer edges");
    examples::require(unitigs == right.walk(), "the unitigs are not those of a walk");
    if (w.rank() == 0) {
      std::printf("%s nodes, %s edges, %s unitigs, the longest of %s bases\n",
                  examples::with_commas(num_nodes).c_str(),
                  examples::with_commas(num_edges).c_str(),
                  examples::with_commas(unitigs.unitigs).c_str(),
                  examples::with_commas(unitigs.bases_of_longest(k)).c_str());
    }
  });
}
