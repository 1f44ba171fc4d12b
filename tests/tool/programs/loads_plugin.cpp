// loads_plugin FILE FUNCTION: every PE opens the module FILE and calls FUNCTION.
#include <cstdio>
#include <dlfcn.h>

#include <boxcar/boxcar.hpp>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  return boxcar::run([argv](boxcar::world& w) {
    void* const module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      std::printf("%s\n", dlerror());
      return 2;
    }
    auto* const function = reinterpret_cast<long (*)(boxcar::world&)>(dlsym(module, argv[2]));
    const long sum = function(w);
    if (w.rank() == 0) std::printf("the plug-in has got %ld\n", sum);
    return 0;
  });
}
