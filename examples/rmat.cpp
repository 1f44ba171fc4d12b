// Writes a random graph in Matrix Market form to standard output: an R-MAT graph with the
// probabilities of Graph 500. Few vertices have very many edges, as in networks that grew.
//
//   rmat --scale 12 > graph.mtx

#include <cstdio>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/rmat_edge.hpp"

namespace {

void write_edge(std::uint64_t number, std::uint64_t scale) {
  const examples::rmat_edge edge = examples::draw_rmat_edge(number, scale);
  std::printf("%llu %llu\n", static_cast<unsigned long long>(edge.row + 1),
              static_cast<unsigned long long>(edge.column + 1));
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Writes a random graph in Matrix Market form.");
    const std::uint64_t scale = given.number("--scale", 10, {1, 30}, "bits of a vertex' number");
    const std::uint64_t degree = given.number("--degree", 16, {1, 1000}, "edges for each vertex");
    if (!given.complete(w) || w.rank() != 0) return;
    const auto vertices = static_cast<unsigned long long>(1) << scale;
    std::printf("%%%%MatrixMarket matrix coordinate pattern general\n");
    std::printf("%% An R-MAT graph: rmat --scale %llu --degree %llu\n",
                static_cast<unsigned long long>(scale), static_cast<unsigned long long>(degree));
    std::printf("%llu %llu %llu\n", vertices, vertices, vertices * degree);
    for (std::uint64_t edge = 0; edge < vertices * degree; ++edge) write_edge(edge, scale);
  });
}
