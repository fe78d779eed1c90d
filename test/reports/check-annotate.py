# SPDX-License-Identifier: BSD-3-Clause
"""ompreport annotate: the source's lines with what is lost in the margin, and SARIF with the same figures as `regions`.
Source files are written where the archive says that they are."""
import json
import os
import re

import tables
from tables import expect, finish, make, run

SARIF_LEVELS = {"warning", "note"}


def regions_of(path):
    return json.loads(run("regions", "--format=json", "--rows=0", path))["regions"]


def margins(text):
    """The rows that have figures: (lost, share, time, what stands behind)."""
    return re.findall(r"^ *(\S+) +(\S+%) +(\S+)  (.+)$", text, re.M)


def check_text(folder):
    path = make(folder, "sourced")
    regions = regions_of(path)
    files = {region["file"] for region in regions if region["begin_line"]}
    expect(files == {str(folder / "solver.c")}, f"files of the scenario: {files}")

    # Nothing can be read: the names stand in the lines' place.
    text = run("annotate", path)
    expect("(cannot be read here)" in text, f"no source, but not said: {text}")
    expect(len(margins(text)) == len(regions), f"{len(regions)} regions, in the text {margins(text)}")

    lines = {region["begin_line"] for region in regions}
    with open("solver.c", "w") as out:
        out.writelines(f"\tline {number};\n" for number in range(1, max(lines) + 10))
    os.utime("solver.c", (1, 1))
    text = run("annotate", path)
    for line in lines:
        for near in range(line - 2, line + 3):
            expect(re.search(rf"^.* {near}  {' ' * 8}line {near};$", text, re.M), f"line {near} is not in {text}")
    far = [number for number in range(1, max(lines) + 10) if all(abs(number - line) > 2 for line in lines)]
    expect(far and not any(f"line {number};" in text for number in far), "lines far from all regions")
    expect("lines may have moved" not in text, "an old file is said to be younger than the run")
    narrow = run("annotate", "--width=60", path)
    expect(max(map(len, narrow.splitlines())) <= 80, "--width")

    exact = run("annotate", "--context=0", path)
    shown = re.findall(r"line (\d+);", exact)
    expect(sorted(map(int, shown)) == sorted(lines), f"--context=0 shows the lines {shown}, not {sorted(lines)}")
    # Lines 12 and 17 of "mixed" have regions: with two lines around nothing is left out between them, with one line 14 and 15 are.
    mixed = make(folder, "sourced", 2)
    shown = {context: run("annotate", f"--context={context}", mixed) for context in (1, 2)}
    for context, text in shown.items():
        between = text[text.index(" 12  "):text.index(" 17  ")]
        expect(("..." in between) == (context == 1), f"--context={context}: between lines 12 and 17: {between}")
    one = regions[0]
    found = margins(run("annotate", "-c", "0", f"--region={one['name']}", path))
    expect(len(found) == sum(one["name"] in region["name"] for region in regions), f"--region: {found}")

    os.utime("solver.c")
    expect("lines may have moved" in run("annotate", path), "a file that is younger than the run")
    # What a source holds does not steer the terminal.
    with open("solver.c", "w") as out:
        out.write("\x1b[31mred\u202e\x07\n" * (max(lines) + 5))
    text = run("annotate", path)
    expect("\x1b" not in text and "\x07" not in text and "\u202e" not in text and "red" in text, "a hostile source")
    os.remove("solver.c")


def check_sarif(folder):
    path = folder / "sourced-1"
    regions = {region["region"]: region for region in regions_of(path)}
    run("annotate", "--sarif=out.sarif", path)
    with open("out.sarif") as file:
        data = json.load(file)
    expect(data["version"] == "2.1.0" and data["$schema"].endswith("sarif-2.1.0.json"), "SARIF's version")
    tool = data["runs"][0]["tool"]["driver"]
    expect(f'ompreport {tool["version"]}' == run("--version").splitlines()[0], f"the tool's version: {tool['version']}")
    rules = {rule["id"] for rule in tool["rules"]}
    results = data["runs"][0]["results"]
    expected = {name for name, region in regions.items() if (region["gain_ns"] or 0) >= 0.01 * capacity(path)}
    expect({result["message"]["text"].split(": ")[0] for result in results} == expected, f"results: {results}")
    for result in results:
        name = result["message"]["text"].split(": ")[0]
        place = result["locations"][0]["physicalLocation"]
        expect(result["ruleId"] in rules and result["level"] in SARIF_LEVELS, f"{name}: {result}")
        expect(result["properties"]["lost_ns"] == regions[name]["gain_ns"], f"{name}: {result['properties']}")
        expect((result["level"] == "warning") == (result["properties"]["share"] >= 0.05), f"{name}: level")
        expect(place["artifactLocation"]["uri"] == "solver.c", f"{name}: {place}")
        expect(place["region"]["startLine"] == regions[name]["begin_line"], f"{name}: {place}")
    prints = [result["partialFingerprints"]["region/v1"] for result in results]
    expect(len(set(prints)) == len(prints), f"fingerprints alike: {prints}")
    run("annotate", "--sarif=missing/out.sarif", path, status=1, error="missing/out.sarif")


def capacity(path):
    loop = next(region for region in regions_of(path) if region["share"])
    return loop["time_ns"] / loop["share"]


def heat_of(text):
    """The part of the samples by what stands behind it: the line's number, or a name."""
    return dict((name, float(share)) for share, name in re.findall(r"(\d+\.\d)% +(\d+(?=  )|\S+:\d+ \S+$)", text, re.M))


def check_samples(folder):
    """Lines by their part of the samples, beside regions and alone, in files with regions and in others."""
    path = make(folder, "hot")
    expect("samples" not in run("annotate", folder / "sourced-1"), "an archive without samples has such a column")
    with open("solver.c", "w") as out:
        out.writelines(f"\tline {number};\n" for number in range(1, 20))
    text = run("annotate", "--context=0", path)
    heat = {"3": 10.0, "5": 5.0, "kernel.c:13 kernel": 45.0, "kernel.c:14 kernel": 16.0}
    head = "   lost   share    time samples    line\n"
    expect(text.count(head) == 2 and f"\n/src/app/kernel.c\n(cannot be read here)\n{head}" in f"\n{text}", f"samples: {text}")
    places = [line for line in text.splitlines() if line.startswith("/")]
    expect(places == sorted(["/src/app/kernel.c", str(folder / "solver.c")]), f"samples: files {places}")
    expect(" 10.0%       3          line 3;\n" in text and f'  148ms   28.0%   408ms{" " * 14}10          line 10;\n' in text, f"samples: {text}")
    expect({name: share for name, share in heat_of(text).items() if name not in ("10", "12")} == heat, f"samples: {heat_of(text)}")
    expect("24.0% of the samples" in text and "samples: the line's part of the processor time" in text, f"samples: {text}")
    # With the samples at regions' lines and the rest, regions and threads have the whole.
    for part, wanted in (("--region=serial", {"3": 10.0, "5": 5.0}), ("--thread=1", {"kernel.c:13 kernel": 48.0, "kernel.c:14 kernel": 12.0})):
        found = {name: share for name, share in heat_of(run("annotate", part, path)).items() if name not in ("10", "12")}
        expect(found == wanted, f"{part}: {found}")
    # 5 of 501 samples are less than 1 %; the 24 without a line are 4.8 %.
    text = run("annotate", make(folder, "hot", 402))
    expect("5" not in heat_of(text) and "5.8% of the samples" in text, f"few samples: {text}")
    # Samples are no findings.
    run("annotate", "--sarif=hot.sarif", path)
    with open("hot.sarif") as file:
        places = [result["message"]["text"].split(": ")[0] for result in json.load(file)["runs"][0]["results"]]
    expect(places == ["solver.c:10 parallel", "solver.c:12 for"], f"SARIF: {places}")
    os.remove("solver.c")


def check_words(folder):
    path = folder / "sourced-1"
    for value in ("x", "-1", "1001", ""):
        run("annotate", f"--context={value}", path, status=2, error="expected a number of lines, 0 to 1000")
    run("annotate", "--region=nowhere", path, status=2, error="nowhere")


def check(folder):
    os.chdir(folder)
    os.environ["MAKE_ARCHIVE_SOURCE"] = str(folder / "solver.c")
    check_text(folder)
    check_sarif(folder)
    check_samples(folder)
    check_words(folder)


# The commands are found from another folder, too.
tables.OMPREPORT, tables.MAKE_ARCHIVE = map(os.path.abspath, (tables.OMPREPORT, tables.MAKE_ARCHIVE))
finish(check)
