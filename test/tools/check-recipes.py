# SPDX-License-Identifier: BSD-3-Clause
"""Whether the recipes for packages agree with the build: check-recipes.py TOP BUILD

Debian's control file, Spack's and conda's recipe name the project's version and each dependency that the build
asks for, in their own words, with the versions that it needs, and none that it does not; the options that they give
exist and take these values; what unpacks the archive names the same version. Debian's packages have all files that
BUILD installs. Spack's recipe is executed with what it imports replaced by functions that note their arguments;
conda's is what Jinja and YAML make of it. Exits 77 without these two.
"""
import collections
import fnmatch
import glob
import json
import os
import re
import sys
import types

# What the build asks for -> the packages of Debian, Spack and conda. None: for this recipe there is none.
Names = collections.namedtuple("Names", "debian spack conda")
DEPENDENCIES = {
    "libclang": Names("libclang-19-dev", "llvm", "libclang"),
    "libelf": Names("libelf-dev", "elfutils", "elfutils"),
    "libdw": Names("libdw-dev", "elfutils", "elfutils"),
    "otf2": Names("libopen-trace-format2-dev", "otf2", None),  # conda's builds it from its sources
    "papi": Names("libpapi-dev", "papi", "papi"),
    "ompi-c": Names("libopenmpi-dev", "mpi", "openmpi"),
    "mpich": Names("libmpich-dev", "mpi", "mpich"),
    "d3-zoom": Names("node-d3-zoom", None, None),
    "d3-scale": Names("node-d3-scale", None, None),
    "d3-axis": Names("node-d3-axis", None, None),
}
# What building takes besides libraries.
TOOLS = {
    "meson": Names("meson", "meson", "meson"),
    "ninja": Names(None, None, "ninja"),  # comes with meson in the others
    "pkg-config": Names("pkgconf", "pkgconfig", "pkg-config"),
    "python": Names("python3", "python", "python"),
    "compiler": Names(None, "c", "compiler(c)"),
}
# What only one of them needs.
OWN = Names({"debhelper-compat", "chrpath", "clang", "lld", "wasi-libc", "libclang-rt-dev-wasm32"}, set(), {"stdlib(c)", "clangdev", "compiler(cxx)", "make"})
BUILT_IN = {"b_ndebug"}  # meson's own options
LIBCLANG_PLACE = {"spack": "/prefix/of/llvm", "conda": "$PREFIX"}
IN_THE_LIBRARY = {"threads"}  # libc's own

findings = []


def expect(what, found, wanted):
    if found != wanted:
        findings.append(f"{what}: found {found!r}, expected {wanted!r}")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class Build:
    """Version, dependencies and options of meson's files."""

    def __init__(self, top):
        text = read(top, "meson.build")
        self.version = re.search(r"^\s*version: '([^']+)'", text, re.M).group(1)
        self.meson = re.search(r"meson_version: '>=([\d.]+)'", text).group(1)
        self.libclang = re.search(r"libclang (\d+) or newer", read(top, "README.md")).group(1)
        text = ""
        for path in glob.glob(top + "/**/meson.build", recursive=True) + glob.glob(top + "/dependencies/*.py"):
            if os.path.relpath(path, top).split("/")[0] != "test":
                text += read(path)
        asked = set(re.findall(r"(?<!declare_)\bdependency\('([^']+)'", text)) - IN_THE_LIBRARY
        expect("what the build asks for and this test's table lacks", sorted(asked - set(DEPENDENCIES)), [])
        unused = [name for name in DEPENDENCIES if not re.search(rf"""['"](d3-)?{name.removeprefix("d3-")}['" ]""", text)]
        expect("what this test's table has and the build does not ask for", unused, [])
        self.options = {}
        for name, rest in re.findall(r"^option\('(\w+)', (.*)\)$", read(top, "meson_options.txt"), re.M):
            self.options[name] = re.search(r"type: '(\w+)'", rest).group(1)

    def check_options(self, recipe, text):
        given = re.findall(r"-D(\w+)=([\w./$]+)", text)
        expect(f"{recipe}: whether it gives options", bool(given), True)
        for name, value in given:
            kind = self.options.get(name)
            values = {"feature": ("enabled", "disabled", "auto"), "boolean": ("true", "false")}.get(kind)
            if kind is None and name not in BUILT_IN:
                findings.append(f"{recipe}: -D{name}: there is no such option")
            elif values is not None and value not in values:
                findings.append(f"{recipe}: -D{name}={value}: expected one of {', '.join(values)}")
        expect(f"{recipe}: -Dtests", dict(given).get("tests"), "false")
        # A prefix of its own is not among the system's folders, and another libclang may be.
        if recipe != "debian":
            expect(f"{recipe}: -Dlibclang", dict(given).get("libclang"), LIBCLANG_PLACE[recipe])

    def check_dependencies(self, recipe, found):
        """found: its names of packages -> the least version, or None."""
        column = Names._fields.index(recipe)
        wanted = {names[column] for names in list(DEPENDENCIES.values()) + list(TOOLS.values())} - {None}
        expect(f"{recipe}: dependencies that are missing", sorted(wanted - set(found)), [])
        expect(f"{recipe}: dependencies that the build does not ask for", sorted(set(found) - wanted - OWN[column]), [])
        expect(f"{recipe}: version of meson", [int(n) for n in found.get(TOOLS["meson"][column], "0").split(".")],
               [int(n) for n in self.meson.split(".")][:2])


def check_debian(build, top):
    control = read(top, "debian", "control")
    field = re.search(r"^Build-Depends:((?:\n .*)+)", control, re.M).group(1)
    found = {}
    for entry in field.split(","):
        match = re.match(r"\s*([\w.+-]+)(?::any)?(?: \(>= ([\d.:]+)\))?", entry)
        if match:
            found[match.group(1)] = match.group(2)
    build.check_dependencies("debian", found)
    build.check_options("debian", read(top, "debian", "rules"))
    version = re.match(r"ompinst \(([^)]+)\)", read(top, "debian", "changelog")).group(1)
    expect("debian/changelog: version", version, build.version)
    listed = set(re.findall(r"^build (\S+)$", read(top, "tools", "packages"), re.M))
    # build-essential has these, meson brings ninja.
    expect("tools/packages: what builds and debian/control does not name",
           sorted(listed - set(found) - {"gcc", "libc6-dev", "dpkg-dev", "ninja-build"}), [])


def check_debian_files(top, build_folder):
    """Each file that is installed is in a package, or in the list of those that no package has."""
    def introspect(what):
        return json.loads(read(build_folder, "meson-info", f"intro-{what}.json"))

    options = {option["name"]: option["value"] for option in introspect("buildoptions")}
    libdir = os.path.join(options["prefix"], options["libdir"])
    patterns = [line.split()[0] for path in glob.glob(top + "/debian/*.install") + [top + "/debian/not-installed"]
                for line in read(path).splitlines() if line and not line.startswith("#")]
    for path in introspect("installed").values():
        below = os.path.relpath(path, libdir)
        name = "usr/" + (os.path.relpath(path, options["prefix"]) if below.startswith("..") else f"lib/MACHINE/{below}")
        if not any(fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(name, pattern + "/*") for pattern in patterns):
            findings.append(f"debian: no file *.install has {name}")


class SpackRecipe:
    """Executes a recipe; `has` says which variants are on."""

    def __init__(self, path, has):
        self.depends, self.variants, self.versions = {}, {}, []
        package = type("MesonPackage", (), {})
        names = {
            "depends_on": self.depends_on, "version": lambda name, *_, **__: self.versions.append(name),
            "variant": lambda name, default, description: self.variants.update({name: default}),
            "license": lambda name: expect("spack: license", name, "BSD-3-Clause"), "requires": lambda *_, **__: None,
        }
        modules = {"spack_repo": {}, "spack_repo.builtin": {}, "spack_repo.builtin.build_systems": {},
                   "spack_repo.builtin.build_systems.meson": {"MesonPackage": package},
                   "spack": {}, "spack.package": names}
        for name, content in modules.items():
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__dict__.update(content)
        scope = {"__name__": "recipe"}
        exec(compile(read(path), path, "exec"), scope)
        recipe = scope["Ompinst"]()
        expect("spack: base class", isinstance(recipe, package), True)
        recipe.spec = type("Spec", (), {"__contains__": lambda _, text: text[1:] in has, "__getitem__": self.dependency})()
        self.arguments = recipe.meson_args()

    def dependency(self, name):
        expect(f"spack: whether it depends on {name}, whose prefix it takes", name in self.depends, True)
        return types.SimpleNamespace(prefix=f"/prefix/of/{name}")

    def depends_on(self, spec, type=("build", "link"), when=None):
        match = re.match(r"([\w-]+)(?:@([\d.]+):)?(?: \+\w+)?$", spec)
        if match is None:
            findings.append(f"spack: depends_on({spec!r}): expected NAME, NAME@VERSION: or NAME@VERSION: +VARIANT")
            return
        if when is not None and when.lstrip("+") not in self.variants:
            findings.append(f"spack: depends_on({spec!r}): there is no variant {when}")
        self.depends[match.group(1)] = match.group(2)


def check_spack(build, top):
    path = os.path.join(top, "packaging", "spack", "package.py")
    variants = SpackRecipe(path, set()).variants
    for on in (set(), set(variants)):
        recipe = SpackRecipe(path, on)
        build.check_options("spack", " ".join(recipe.arguments))
        for name in variants:
            wanted = f"-D{name}={'enabled' if name in on else 'disabled'}"
            expect(f"spack: {wanted} is among the arguments", wanted in recipe.arguments, True)
    build.check_dependencies("spack", recipe.depends)
    expect("spack: version", recipe.versions, [build.version])
    expect("spack: llvm's version", recipe.depends.get("llvm"), build.libclang)
    expect("spack: tarball", f"/ompinst-{build.version}.tar.xz" in read(path), True)


def render_conda(top, mpi, environ):
    import jinja2
    import yaml
    text = read(top, "packaging", "conda", "meta.yaml")
    # Selectors in comments, as conda-build sees them on Linux.
    lines = []
    for line in text.splitlines():
        selector = re.search(r"# \[(.*)\]$", line)
        if selector is None or eval(selector.group(1), {"mpi": mpi, "linux": True}):
            lines.append(line)
    template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string("\n".join(lines))
    return yaml.safe_load(template.render(mpi=mpi, environ=environ, PKG_HASH="0", PKG_BUILDNUM="0", compiler=lambda name: f"compiler({name})",
                                          stdlib=lambda name: f"stdlib({name})"))


def check_conda(build, top):
    import yaml
    found = {}
    kinds = yaml.safe_load(read(top, "packaging", "conda", "conda_build_config.yaml"))["mpi"]
    expect("conda: kinds of MPI", sorted(kinds), ["mpich", "nompi", "openmpi"])
    for mpi in kinds:
        recipe = render_conda(top, mpi, {})
        expect("conda: whether it skips Linux", recipe["build"].get("skip", False), False)
        for entry in recipe["requirements"]["build"] + recipe["requirements"]["host"]:
            name, _, version = entry.partition(" >=")
            found[name] = version or None
        build.check_options("conda", " ".join(recipe["build"]["script"]))
        expect(f"conda: -Dmpi for {mpi}", f"-Dmpi={'disabled' if mpi == 'nompi' else 'enabled'}" in " ".join(recipe["build"]["script"]), True)
        expect("conda: version", recipe["package"]["version"], build.version)
        sources = {source.get("folder", "."): source for source in recipe["source"]}
        expect("conda: folders of its sources", sorted(sources), [".", "otf2"])
        expect("conda: its own sources", os.path.samefile(os.path.join(top, "packaging", "conda", sources["."]["path"]), top), True)
        expect("conda: OTF2's tarball", re.search(r"/otf2-3\.[\d.]+\d\.tar\.gz$", sources["otf2"]["url"]) is not None, True)
        expect("conda: OTF2's checksum", re.fullmatch(r"[0-9a-f]{64}", sources["otf2"]["sha256"]) is not None, True)
        for file in recipe["test"]["source_files"] + recipe["about"]["license_file"]:
            if not file.startswith("otf2/"):
                expect(f"conda: whether {file} exists", os.path.exists(os.path.join(top, file)), True)
    released = render_conda(top, "nompi", {"OMPINST_RELEASES": "https://address"})["source"][0]
    expect("conda: a release's tarball", released, {"url": f"https://address/ompinst-{build.version}.tar.xz"})
    build.check_dependencies("conda", found)
    expect("conda: libclang's version", found.get("libclang"), build.libclang)


def check_archive_users(build, top):
    """What names the archive of one version."""
    for path, pattern in (("packaging/Containerfile", r"^ARG OMPINST_VERSION=(.*)$"), ("doc/ci/github.yml", r"^ *OMPINST_VERSION: (.*)$"),
                          ("doc/ci/gitlab.yml", r'^ *OMPINST_VERSION: "(.*)"$'), ("README.md", r"ompinst-([\d.]+)-x86_64"),
                          ("doc/installing.md", r"ompinst-([\d.]+)-x86_64")):
        expect(f"{path}: versions of the archive", set(re.findall(pattern, read(top, path), re.M)), {build.version})


def main():
    top = sys.argv[1]
    build = Build(top)
    check_debian(build, top)
    check_debian_files(top, sys.argv[2])
    check_spack(build, top)
    check_archive_users(build, top)
    try:
        check_conda(build, top)
    except ImportError as error:
        print(error)
        if not findings:
            return 77
    print("\n".join(findings))
    return len(findings) > 0


sys.exit(main())
