# SPDX-License-Identifier: BSD-3-Clause
"""Finds the scripts of D3 that the report page is made with, each with its licence.

Usage: find-d3.py FOLDER...

A FOLDER holds packages as npm puts them into node_modules, which is also how Debian has them: d3-NAME/dist/d3-NAME.min.js
with its package.json. The first folder that has all the parts is taken, each part in a version that the page was written
for and tested with; else the first with the package d3, whose one script holds all of D3 and is twice as long. Prints a
script and a licence alternately, one a line, in the order in which they need each other. Otherwise it says what the folders
lack, and fails.
"""

import json
import os
import sys

# Package -> the major versions that fit.
PARTS = {
    "dispatch": (1, 2, 3), "color": (1, 2, 3), "interpolate": (1, 2, 3), "ease": (1, 2, 3), "timer": (1, 2, 3), "selection": (1, 2, 3),
    "transition": (1, 2, 3), "drag": (1, 2, 3), "zoom": (1, 2, 3), "array": (1, 2, 3), "collection": (1,), "format": (1, 2, 3),
    "time": (1, 2, 3), "time-format": (2, 3, 4), "scale": (2, 3, 4), "axis": (1, 2, 3),
}
OPTIONAL = "collection"  # a part of d3-array where d3-scale is 3 or newer
WHOLE = (5, 6, 7)  # of the package d3


def package(folder, name, majors):
    """The script and the licence, or what is wrong with them."""
    script = f"{folder}/{name}/dist/{name}.min.js"
    licence = next((path for path in (f"/usr/share/doc/node-{name}/copyright", f"{folder}/{name}/LICENSE") if os.path.isfile(path)), None)
    if not os.path.isfile(script):
        return None, f"{script} is missing"
    try:
        with open(f"{folder}/{name}/package.json", encoding="utf-8") as file:
            version = json.load(file)["version"]
        major = int(version.split(".")[0])
    except (OSError, ValueError, KeyError) as error:
        return None, f"{folder}/{name}/package.json: expected the package's version ({error})"
    if major not in majors:
        return None, f"{folder}/{name} is {version}, expected a major version of {', '.join(map(str, majors))}"
    if licence is None:
        return None, f"{folder}/{name} has no licence: expected {folder}/{name}/LICENSE"
    return (script, licence), None


def parts_in(folder):
    found, lacks = [], []
    for name, majors in PARTS.items():
        files, lack = package(folder, f"d3-{name}", majors)
        if files:
            found += files
        elif name != OPTIONAL or os.path.isdir(f"{folder}/d3-{name}"):
            lacks.append(lack)
    return found, lacks


def main():
    folders = sys.argv[1:]
    looked = {folder: parts_in(folder) for folder in folders}
    for found, lacks in looked.values():
        if not lacks:
            print("\n".join(found))
            return 0
    for folder in folders:
        files, lack = package(folder, "d3", WHOLE)
        if files:
            print("\n".join(files))
            return 0
        if os.path.isdir(f"{folder}/d3"):
            looked[folder][1].append(lack)
    for folder, (found, lacks) in looked.items():
        # Of a folder without any part one line says enough.
        print("\n".join(lacks) if found or folder == folders[0] and os.path.isdir(folder) else f"{folder}: no packages of D3", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
