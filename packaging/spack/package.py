# SPDX-License-Identifier: BSD-3-Clause
"""Spack's recipe: `spack dev-build ompinst@0.1.0` in a checkout, with this file as packages/ompinst/package.py of a repository.

Without a checkout: `OMPINST_RELEASES=ADDRESS spack install --no-checksum ompinst`, where ADDRESS is that of the folder
with the tarball that tools/release has made, or its path after file://. Without the variable Spack takes the tarball
from the folder where it runs.
"""
import os

from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import depends_on, license, requires, variant, version


class Ompinst(MesonPackage):
    """Instruments OpenMP programs of C and C++, measures them and Fortran's as they are, and reports by
    construct and by thread where their time goes; with an OpenMP runtime of gcc's interface that tools and
    debuggers can look into."""

    url = os.environ.get("OMPINST_RELEASES", f"file://{os.getcwd()}") + "/ompinst-0.1.0.tar.xz"
    manual_download = "OMPINST_RELEASES" not in os.environ

    license("BSD-3-Clause")

    version("0.1.0")

    variant("otf2", default=True, description="Traces, and ompreport, which reads them")
    variant("papi", default=True, description="Counters of the hardware")
    variant("mpi", default=False, description="Programs of MPI: Open MPI or MPICH")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.8:", type="build")
    depends_on("llvm@14: +clang")
    depends_on("elfutils")
    depends_on("otf2@3:", when="+otf2")
    depends_on("papi@6:", when="+papi")
    depends_on("mpi", when="+mpi")
    requires("^[virtuals=mpi] openmpi", "^[virtuals=mpi] mpich", policy="one_of", when="+mpi")

    # The runtime stands on futex(2), the attachment on glibc's loader.
    requires("platform=linux")

    def meson_args(self):
        def feature(name):
            return "enabled" if f"+{name}" in self.spec else "disabled"

        return [
            f"-Dlibclang={self.spec['llvm'].prefix}",
            "-Dtests=false",
            "-Dnames=enabled",
            f"-Dotf2={feature('otf2')}",
            f"-Dpapi={feature('papi')}",
            f"-Dmpi={feature('mpi')}",
        ]
