// Every PE prints its rank and its arguments.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

#include <boxcar/boxcar.hpp>

int main() {
  return boxcar::run([](boxcar::world& w) {
    const std::string input(std::istreambuf_iterator<char>(std::cin), {});
    const int sum = w.reduce(w.rank());
    std::printf("PE %d of %d on node %d of %d, %s, sum %d, input \"%s\"%s\n", w.rank(), w.size(),
                w.node(), w.nodes(), std::string(w.substrate_name()).c_str(), sum, input.c_str(),
                std::getenv("BOXCAR_TERMINAL") != nullptr ? ", terminal" : "");
  });
}
