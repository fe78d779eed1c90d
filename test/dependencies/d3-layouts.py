# SPDX-License-Identifier: BSD-3-Clause
"""Which scripts of D3 are found in folders as npm and Debian make them: d3-layouts.py FIND-D3.PY"""

import json
import os
import subprocess
import sys
import tempfile

FIND = sys.argv[1]
PARTS = ("dispatch", "color", "interpolate", "ease", "timer", "selection", "transition", "drag", "zoom", "array", "format", "time",
         "time-format", "scale", "axis")


def package(folder, name, version, licence=True):
    base = f"{folder}/{name}"
    os.makedirs(f"{base}/dist")
    for path, text in ((f"dist/{name}.min.js", ""), ("package.json", json.dumps({"name": name, "version": version})), ("LICENSE", "free")):
        if licence or path != "LICENSE":
            with open(f"{base}/{path}", "w", encoding="ascii") as file:
                file.write(text)


def find(*folders):
    done = subprocess.run([sys.executable, FIND, *folders], capture_output=True, text=True, check=False)
    return done.stdout.split(), done.stderr, done.returncode


def main():
    with tempfile.TemporaryDirectory() as top:
        for name in PARTS:
            package(f"{top}/parts", f"d3-{name}", "3.0.1" if name in ("time-format", "scale") else "2.0.0")
        package(f"{top}/whole", "d3", "7.9.0")
        package(f"{top}/old", "d3", "3.5.17")
        package(f"{top}/bare", "d3", "7.9.0", licence=False)
        found, _, code = find(f"{top}/nothing", f"{top}/whole", f"{top}/parts")
        assert code == 0 and len(found) == 2 * len(PARTS), found
        assert found[0].endswith("parts/d3-dispatch/dist/d3-dispatch.min.js") and found[-2].endswith("d3-axis.min.js"), found
        assert all(path.endswith(("LICENSE", "copyright")) for path in found[1::2]), found
        found, _, code = find(f"{top}/old", f"{top}/whole")
        assert code == 0 and found[0] == f"{top}/whole/d3/dist/d3.min.js" and len(found) == 2, found
        for folder, reason in (("old", "is 3.5.17, expected a major version of 5, 6, 7"), ("nothing", "no packages of D3")):
            found, message, code = find(f"{top}/{folder}")
            assert code == 1 and not found and reason in message, message
        if not os.path.exists("/usr/share/doc/node-d3/copyright"):
            assert "has no licence" in find(f"{top}/bare")[1]
        # One part in a version that does not fit: the page would not work with it.
        with open(f"{top}/parts/d3-scale/package.json", "w", encoding="ascii") as file:
            file.write('{"version": "1.0.7"}')
        assert "d3-scale is 1.0.7, expected a major version of 2, 3, 4" in find(f"{top}/parts")[1]
        with open(f"{top}/parts/d3-scale/package.json", "w", encoding="ascii") as file:
            file.write("{}")
        assert "expected the package's version" in find(f"{top}/parts")[1]


main()
