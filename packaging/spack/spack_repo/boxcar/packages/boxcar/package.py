"""The package boxcar for Spack 1.0 and newer."""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.python import PythonExtension, PythonPipBuilder

from spack.package import *


class Boxcar(CMakePackage, PythonExtension):
    """Boxcar moves enormous numbers of tiny items between the processes of a parallel program, at
    the speed of large messages: it gathers items for the same destination and sends full buffers.
    """

    # There is no release archive yet. The source is the git checkout that contains this file, or
    # the folder of `spack develop` and `spack dev-build`.
    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="Build the library for the MPI of Spack")
    variant("openshmem", default=False, when="+mpi", description="Build the library for OpenSHMEM")
    variant("libfabric", default=True, description="Build the library for libfabric")
    variant(
        "pmix", default=False, when="+libfabric", description="Support launchers that speak PMIx"
    )
    variant("shared", default=False, description="Build all libraries as shared libraries")
    variant("tools", default=True, description="Install the command boxcar")
    variant("simulated", default=False, description="Build the simulated machine")
    variant("python", default=False, description="Install the Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("zlib-api", when="+tools")
    depends_on("zlib-api", when="+python")
    depends_on("help2man", type="build", when="+tools")
    depends_on("mpi", when="+mpi")
    depends_on("openmpi+openshmem", when="+openshmem")
    depends_on("libfabric@1.15:", when="+libfabric")
    depends_on("pmix", when="+pmix")
    depends_on("boost+context", when="+simulated")
    with when("+python"):
        extends("python")
        depends_on("python@3.10:", type=("build", "run"))
        depends_on("py-pip", type="build")
        depends_on("py-scikit-build-core@0.11:", type="build")
        depends_on("py-nanobind@2.4:", type="build")
        depends_on("py-numpy@1.24:", type=("build", "run"))
        depends_on("py-cloudpickle@2.2:", type=("build", "run"))

    # Boxcar is written in C++20, for Linux.
    conflicts("%gcc@:11")
    conflicts("%clang@:15")
    conflicts("platform=darwin")
    conflicts("platform=windows")

    # --- Build ------------------------------------------------------------------------------------

    def network_options(self):
        """The options of CMake that name the networks: what Spack has not been asked for is not
        looked for in the system."""
        mpi_compiler = shmem_compiler = ""
        if self.spec.satisfies("+mpi"):
            mpi_compiler = self.spec["mpi"].mpicc
        if self.spec.satisfies("+openshmem"):
            shmem_compiler = self.spec["openmpi"].prefix.bin.oshcc
        return [
            ("BOXCAR_MPI_COMPILERS", mpi_compiler),
            ("BOXCAR_SHMEM_COMPILER", shmem_compiler),
            ("BOXCAR_LIBFABRIC", "ON" if self.spec.satisfies("+libfabric") else "OFF"),
        ]

    def cmake_args(self):
        return [
            *(self.define(name, value) for name, value in self.network_options()),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("BOXCAR_TOOLS", "tools"),
            self.define_from_variant("BOXCAR_SIMULATED", "simulated"),
            self.define("BOXCAR_EXAMPLES", False),
        ]

    @run_before("install")
    def install_python_package(self):
        """Installs the Python package, which has libraries and a command of its own. CMake installs
        afterwards: the command `boxcar` of the prefix is the one of CMake."""
        if not self.spec.satisfies("+python"):
            return
        settings = [f"cmake.define.{name}={value}" for name, value in self.network_options()]
        settings.append(f"build-dir={join_path(self.build_directory, 'python')}")
        pip = self.spec["python"].command
        pip.add_default_arg("-m", "pip")
        with working_dir(self.stage.source_path):
            pip(
                *PythonPipBuilder.std_args(self),
                f"--prefix={self.prefix}",
                *(f"--config-settings={setting}" for setting in settings),
                ".",
            )

    @run_after("install")
    def check_libraries(self):
        """Fails if a library of a network is missing: CMake builds only what it finds."""
        libraries = {
            "+mpi": ["libboxcar_openmpi.so", "libboxcar_mpich.so", "libboxcar_mpi.so"],
            "+openshmem": ["libboxcar_shmem.so"],
            "+libfabric": ["libboxcar_ofi.so"],
            "+simulated": ["libboxcar_simulated.a", "libboxcar_simulated.so"],
        }
        for variant, names in libraries.items():
            if self.spec.satisfies(variant) and not find(self.prefix, names):
                raise InstallError(
                    f"boxcar{variant} has installed none of {', '.join(names)}: CMake has not "
                    "found what it needs; its output names what it found ('Boxcar: library for')"
                )

    # --- Tests of an installed package: spack test run boxcar -------------------------------------

    @run_after("install")
    def keep_smoke_test(self):
        cache_extra_test_sources(self, "packaging/smoke_test")

    def boxcar(self, *words):
        """Runs the installed command, and returns its output."""
        if self.spec.satisfies("~tools"):
            raise SkipTest("boxcar~tools installs no command")
        return Executable(self.prefix.bin.boxcar)(*words, output=str.split, error=str.split)

    def test_info(self):
        """the command names its version and the substrates"""
        output = self.boxcar("info")
        assert "processes " in output, output

    def test_bench(self):
        """a benchmark, which checks its result, runs on two threads and on two processes"""
        bench = ["bench", "histogram", "--items", "1000", "--rounds", "1"]
        with test_part(self, "test_bench_threads", purpose="two PEs that are threads"):
            self.boxcar(*bench, "--pes", "2")
        with test_part(self, "test_bench_processes", purpose="two PEs that are processes"):
            self.boxcar("run", "-n", "2", "--", self.prefix.bin.boxcar, *bench)

    def test_find_package(self):
        """CMake finds the package, and a program that is built with it runs on two PEs"""
        source = join_path(self.test_suite.current_test_cache_dir, "packaging", "smoke_test")
        cmake = Executable(self.spec["cmake"].prefix.bin.cmake)
        cmake("-S", source, "-B", "count", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        cmake("--build", "count")
        with set_env(BOXCAR_PES="2"):
            output = Executable(join_path("count", "count"))(output=str.split, error=str.split)
        assert "2 PEs received 2000 items" in output, output

    def test_python(self):
        """Python imports the package, and two PEs exchange values"""
        if self.spec.satisfies("~python"):
            raise SkipTest("boxcar~python installs no Python package")
        program = "import boxcar; print(boxcar.run(lambda world: world.reduce(1), pes=2))"
        python = self.spec["python"].command
        output = python("-c", program, output=str.split, error=str.split)
        assert "[2, 2]" in output, output
