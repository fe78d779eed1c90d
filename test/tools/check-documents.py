# SPDX-License-Identifier: BSD-3-Clause
"""Whether what the documents name exists: files, folders, functions, macros, options, subcommands, the
debugger's commands, variables, and what links lead to; whether each variable and option is in some document; and
whether a reader who follows links from README.md comes to every page of doc/, and from doc/README.md, too.

Looks at what stands in backticks, and at the commands of code blocks. Usage: check-documents.py TOP BUILD
"""

import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys

# What the documents name and the tree does not have: each with its reason.
OTHERS_FILES = {
    ".github/compare.sh": "a copy in the user's repository",
    ".github/workflows/performance.yml": "a copy in the user's repository",
    ".gitlab/compare.sh": "a copy in the user's repository",
    "./benchmark": "the user's program",
    "X.c": "stands for a case of test/instrumenter/cases",
    "bin/ompinst": "in a release's archive",
    "bin/ompreport": "in a release's archive",
    "file.mod.c": "what ompinst makes of an example",
    "mpif.h": "MPI's header for Fortran",
    "n/a": "what a table shows",
    "omp.h": "the compiler's",
    "run/X": "stands for a program of test/run",
    "saxpy.c": "an example",
}
# Of builds that find an MPI.
OF_MPI = {"libpomp_mpi-openmpi.so", "libpomp_mpi-mpich.so"}
OTHERS_WORDS = {
    "CLONE_NEWUSER": "Linux's",
    "HASH_NONFATAL_OOM": "uthash's macro",
    "MPI_Wtick": "MPI's",
    "MPI_x_c2f": "stands for MPI's functions of this kind",
    "MPI_x_f2c": "stands for MPI's functions of this kind",
    "mpi_allgatherv_": "of MPI's Fortran bindings",
}
INTERNAL_VARIABLES = {
    "OMPINST_ACTIVE": "ompinst sets it for itself",
    **{f"OMPINST_INSPECT_{part}": "ompinst why asks gdb by it"
       for part in ("ANSWER", "COMMAND", "CORE", "FOLDER", "FORM", "PID", "RANKS", "WINDOW")},
}
OTHERS_OPTIONS = {
    "--config": "clang's",
    "--libdir": "meson's",
    "--offload-arch": "clang's",
    "--precompile": "clang's",
}

UNDOCUMENTED_OPTIONS = {"--version"}  # every program's

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
WORD_FILES = (".c", ".h", ".cc", ".py", ".sh", ".js", ".css", ".map", ".txt", ".build", ".in", ".cmake", ".3", ".json")
PLACEHOLDERS = re.compile(r"NAME|VERSION|FOLDER")  # stand for what the reader puts there


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Tree:
    """What exists: paths, words, options, subcommands, variables."""

    def __init__(self, top, build):
        self.top = top
        self.paths, self.words = set(), set()
        for path, folders, files in os.walk(top):
            inside = os.path.relpath(path, top)
            if inside == ".":
                folders[:] = [f for f in folders if not f.startswith("build") and f not in ("demo", "tmp", ".git")]
            self.paths |= {os.path.normpath(os.path.join(inside, f)) for f in folders + files}
            for name in files:
                if name != "check-documents.py" and (name.endswith(WORD_FILES) or "." not in name):
                    self.words |= set(re.findall(r"\w+", read(os.path.join(path, name))))
        # What the build makes, by its name alone.
        self.products = set()
        for path, folders, files in os.walk(build):
            folders[:] = [f for f in folders if not f.endswith(".p") and not f.startswith("meson-")]
            self.products |= {re.sub(r"(\.so(\.\d+)?)[.\d]*$", r"\1", f) for f in files} | set(files)
        if not any(name.startswith("libpomp_mpi-") for name in self.products):
            self.products |= OF_MPI
        self.programs = {"ompinst": [build + "/instrumenter/ompinst"], "ompreport": [build + "/reports/ompreport"]}
        self.options = {name: self.help_options(command) for name, command in self.programs.items()}
        for words in ["run"], ["lint"], ["race", "run"], ["sharing", "run"], ["tune"], ["why"], ["top"], ["snapshot"]:
            self.options["ompinst"] |= self.help_options(self.programs["ompinst"] + words)
        self.subcommands = self.read_subcommands()
        self.variables = self.read_variables()
        self.tests, self.suites = self.read_tests(top, build)

    @staticmethod
    def read_tests(top, build):
        # Benchmarks are part of few builds (-Dbenchmarks=true).
        names, suites = set(re.findall(r"^ *benchmark\('([^']+)'", read(f"{top}/test/bench/meson.build"), re.M)), {"bench"}
        for kind in ("tests", "benchmarks"):
            for test in json.loads(read(f"{build}/meson-info/intro-{kind}.json")):
                names.add(test["name"])
                suites |= {suite.split(":")[-1] for suite in test["suite"]}
        return names, suites

    @staticmethod
    def help_text(command):
        try:
            done = subprocess.run(command + ["--help"], capture_output=True, text=True, check=False)
        except OSError:
            return ""
        return done.stdout + done.stderr

    def help_options(self, command):
        return set(re.findall(r"(?<![\w-])(--?[a-zA-Z][\w-]*)", self.help_text(command)))

    def read_subcommands(self):
        text = self.help_text(self.programs["ompreport"])
        names = re.findall(r"^ {2,4}([a-z][a-z-]+) +[A-Z]", text, re.M) + ["help"]
        return {name: self.help_options(self.programs["ompreport"] + [name]) for name in names}

    def read_variables(self):
        """Every variable that a room reads: a string of its own in the sources outside of test/."""
        found = set()
        for path in self.paths:
            if path.endswith((".c", ".h")) and not path.startswith("test/"):
                found |= set(re.findall(r'"((?:OMP|POMP|OMPINST|ACC|GOMP|GCC)_[A-Z0-9_]+)"', read(os.path.join(self.top, path))))
        return found

    def has_path(self, name, document):
        """A path from the top, from the document, or the end of one that is in the tree."""
        name = name.rstrip("/")
        if name.startswith("run/"):  # the engine's page calls the programs of test/run so
            return any(f"test/{name}{ending}" in self.paths for ending in (".c", ".cc"))
        beside = os.path.normpath(os.path.join(os.path.dirname(document), name))
        if name in self.paths or beside in self.paths or name in self.products:
            return True
        return any(fnmatch.fnmatch("/" + p, "*/" + name) for p in self.paths | self.products)


class Check:
    """Goes through one document."""

    def __init__(self, tree, document):
        self.tree = tree
        self.document = document
        self.text = read(os.path.join(tree.top, document))
        self.findings = []
        self.used = set()
        self.targets = set()
        self.rows = set(re.findall(r"^\| `?(\w+)`? \|", self.text, re.M))  # a name may be that of a table's row

    def report(self, line, text):
        self.findings.append(f"{self.document}:{line}: {text}")

    def run(self):
        fenced = False
        for line, text in enumerate(self.text.splitlines(), 1):
            if text.startswith("```"):
                fenced = not fenced
            elif fenced:
                if text.startswith(("$ ", "tools/", "meson test ")):
                    self.command(line, re.sub(r"\s+#.*", "", text.removeprefix("$ ")))
            else:
                for span in re.findall(r"`([^`]+)`", text):
                    self.span(line, span)
                for name in re.findall(r"(?<![\w/.*-])[\w-]+\.[ch]\b", re.sub(r"`[^`]*`|\([^)]*\.md[^)]*\)", "", text)):
                    self.path(line, name)
                for target in re.findall(r"\]\(([^)\s]+)\)", text):
                    self.link(line, target)
        self.broken_links()

    def broken_links(self):
        """An address that goes on in the next line makes no link."""
        prose = re.sub(r"^ *```.*?^ *```|`[^`]*`", lambda code: "\n" * code.group(0).count("\n"), self.text, flags=re.M | re.S)
        for link in re.finditer(r"\]\(([^)\s]*)\n", prose):
            line = prose.count("\n", 0, link.start()) + 1
            self.report(line, f"the end of the line breaks the link to '{link.group(1)}...': expected its address on one line")

    def link(self, line, target):
        if re.match(r"[a-z]+:", target):
            return
        path, _, anchor = target.partition("#")
        whole = os.path.normpath(os.path.join(os.path.dirname(self.document), path)) if path else self.document
        self.targets.add(whole)
        if whole not in self.tree.paths:
            self.report(line, f"links to {target}: there is no such file")
        elif anchor:
            headings = re.findall(r"^#+ (.*)", read(os.path.join(self.tree.top, whole)), re.M)
            if anchor not in [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings]:
                self.report(line, f"links to {target}: there is no such heading")

    def command(self, line, text):
        """A command of ours: its subcommand and options exist."""
        words = text.split()
        if "meson test" in text:
            return self.meson_test(line, text)
        while words and re.match(r"[A-Z_]+=", words[0]):
            self.variable(line, words.pop(0).split("=")[0])
        if not words or PLACEHOLDERS.search(text):
            return
        if words[0].startswith("tools/"):
            self.path(line, words[0])
        name = os.path.basename(words[0])
        if name == "ompreport" and len(words) > 1:
            self.report_command(line, words[1:])
        elif name == "ompinst":
            for word in words[1:]:
                if not word.startswith("--"):
                    break
                self.option(line, word, self.tree.options["ompinst"])
        elif name == "omp" and len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]):
            if words[1] not in self.tree.words:
                self.report(line, f"names the gdb command '{text}': there is no such command")

    def meson_test(self, line, text):
        """The tests and suites of a command exist."""
        words = shlex.split(text.split("meson test", 1)[1])
        while words:
            word = words.pop(0)
            if word == "-C":
                words.pop(0)
            elif word == "--suite":
                suite = words.pop(0)
                if suite not in self.tree.suites:
                    self.report(line, f"names the test suite {suite}: there is no such suite")
            elif not word.startswith("-") and word not in self.tree.tests and not PLACEHOLDERS.search(word):
                self.report(line, f"names the test {word}: there is no such test")

    def report_command(self, line, words):
        known = self.tree.options["ompreport"]
        if re.fullmatch(r"[a-z-]+", words[0]) and not words[0].startswith("-"):
            if words[0] not in self.tree.subcommands:
                self.report(line, f"names 'ompreport {words[0]}': there is no such subcommand")
                return
            known = known | self.tree.subcommands[words[0]]
        for word in words:
            if word.startswith("--"):
                self.option(line, word, known)

    def option(self, line, word, known):
        name = re.split(r"[=\[ ]", word)[0]
        if name not in known and name not in OTHERS_OPTIONS:
            self.report(line, f"names the option {name}: no program's --help has it")
        self.used |= {name} & set(OTHERS_OPTIONS)

    def variable(self, line, name):
        if re.match(r"(OMP|POMP|OMPINST)_[A-Z]", name) and name not in self.tree.variables:
            if name in OTHERS_WORDS:
                self.used.add(name)
            elif not any(fnmatch.fnmatch(v, name) for v in self.tree.variables | self.tree.words):
                self.report(line, f"names the variable {name}: no table has it")

    def path(self, line, name):
        if name in OTHERS_FILES:
            self.used.add(name)
        elif not self.tree.has_path(name, self.document):
            self.report(line, f"names {name}: there is no such file")

    def span(self, line, span):
        if PLACEHOLDERS.search(span) and "=" not in span.split()[0]:
            return
        if re.match(r"(\w+=\w+ )*meson test ", span):
            self.command(line, span)
        elif re.match(r"(ompreport|ompinst|omp|tools/[\w-]+|[A-Z_]+=\S+) ", span):
            self.command(line, span)
        elif re.match(r"[/~$<\-]|\w+:|\.\.\.", span) and not span.startswith("--"):
            return
        elif re.fullmatch(r"--[a-z][\w-]*([=\[].*)?", span):
            known = set.union(*self.tree.options.values(), *self.tree.subcommands.values())
            if span.split("=")[0] not in known and not self.in_tools(span.split("=")[0]):
                self.option(line, span, known)
        elif re.fullmatch(r"[\w.*-]+(/[\w.*-]+)*/?", span) and ("/" in span or re.search(r"\.(c|h|cc|py|md|sh|map|txt|so|a|js|css|build|[13])\b", span)):
            if re.search(r"[a-zA-Z]", span) and not re.fullmatch(r"[\d.]+|\w+\.\w+\(", span):
                self.path(line, span)
        else:
            self.identifiers(line, span)

    def in_tools(self, option):
        folder = os.path.join(self.tree.top, "tools")
        names = [os.path.join(folder, name) for name in os.listdir(folder)]
        return any(option in read(name) for name in names if os.path.isfile(name))

    def identifiers(self, line, span):
        """Words with an underscore, and functions, exist in the sources."""
        for name in re.findall(r"\b[A-Za-z]\w*\*?(?:\(\))?", span):
            word = name.removesuffix("()")
            if re.fullmatch(r"(OMP|POMP|OMPINST)_[A-Z0-9_]+\*?", word):
                self.variable(line, word)
            elif ("_" in word.strip("_*") or name.endswith("()")) and word not in self.tree.words | self.rows:
                if word in OTHERS_WORDS:
                    self.used.add(word)
                elif not any(fnmatch.fnmatch(w, word) for w in self.tree.words):
                    self.report(line, f"names {name}: the sources have no such word")


def undocumented(tree, documents):
    """Variables and options that no document names."""
    text = "\n".join(read(os.path.join(tree.top, d)) for d in documents)
    words, options = set(re.findall(r"\w+", text)), set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))
    known = {option for option in set.union(*tree.options.values(), *tree.subcommands.values()) if option.startswith("--")}
    return [f"no document names the variable {v}" for v in sorted(tree.variables - words - set(INTERNAL_VARIABLES))] + \
        [f"no document names the option {option}" for option in sorted(known - options - UNDOCUMENTED_OPTIONS)]


def unreachable(start, targets):
    """Pages of doc/ to which no chain of links leads from the page `start`. targets: page -> what it links to."""
    seen, waiting = {start}, [start]
    while waiting:
        new = targets.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return [f"{start}: no links lead from here to {page}" for page in sorted(set(targets) - seen) if page.startswith("doc/")]


def main():
    top, build = (os.path.realpath(folder) for folder in sys.argv[1:3])
    tree = Tree(top, build)
    documents = [d for d in DOCUMENTS if os.path.exists(os.path.join(top, d))]
    documents += sorted(path for path in tree.paths if path.startswith("doc/") and path.endswith(".md"))
    findings, used, targets = [], set(), {}
    for document in documents:
        check = Check(tree, document)
        check.run()
        findings += check.findings
        used |= check.used
        targets[document] = check.targets
    findings += undocumented(tree, documents)
    for start in ("README.md", "doc/README.md"):
        findings += unreachable(start, targets)
    for name in sorted((set(OTHERS_FILES) | set(OTHERS_WORDS) | set(OTHERS_OPTIONS)) - used):
        findings.append(f"check-documents.py: the exception {name} is not needed: remove it")
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
