#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst machine`: measured once, kept, measured again when asked or when the machine is another one: machine.py OMPINST"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

OMPINST = sys.argv[1]


def run(cache, *options, status=0):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one row: quick
    done = subprocess.run([OMPINST, "machine", *options], env=dict(os.environ, XDG_CACHE_HOME=str(cache)), capture_output=True,
                          text=True, check=False)
    assert done.returncode == status, (done, status)
    return done


def main():
    with tempfile.TemporaryDirectory() as folder:
        cache = pathlib.Path(folder) / "some where"
        kept = cache / "ompinst/machine.json"
        first = json.loads(run(cache, "--json").stdout)
        assert first["format"] == "ompinst-machine" and first["processors"] == 1, first
        [row] = first["rows"]
        assert row["threads"] == 1 and row["triad_bytes_per_s"] > 1e8 and 0.1 < row["chain_step_ns"] < 100, row
        assert 1e8 < row["peak_flops_per_s"] < 1e13, row
        assert json.loads(kept.read_text()) == first
        # What was kept is printed as it is, in both forms.
        row["triad_bytes_per_s"] = 123 * 10**9
        kept.write_text(json.dumps(first))
        assert json.loads(run(cache, "--json").stdout) == first
        text = run(cache).stdout
        assert first["processor"] in text and " 123 " in text, text
        # Not if it is another machine's, or if it is asked for.
        for change, options in (({"processor": "another"}, []), ({"processors": 77}, []), ({}, ["--again"]), ({"format": "x"}, []),
                                ({"rows": [dict(row, peak_flops_per_s=0)]}, [])):
            kept.write_text(json.dumps(dict(first, **change)))
            again = json.loads(run(cache, "--json", *options).stdout)
            assert again["rows"][0]["triad_bytes_per_s"] != 123 * 10**9 and json.loads(kept.read_text()) == again, again
        # The figures are printed even if they cannot be kept.
        in_the_way = pathlib.Path(folder) / "file"
        in_the_way.write_text("")
        done = run(in_the_way, "--json")
        assert json.loads(done.stdout)["rows"] and "cannot keep the figures" in done.stderr, done
        assert "unexpected 'now'" in run(cache, "now", status=2).stderr
        assert "--again" in run(cache, "--agin", status=2).stderr
        assert "usage: ompinst machine" in run(cache, "--help").stdout


main()
