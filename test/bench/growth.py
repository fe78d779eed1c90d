#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of test-runtime-many-cores: what a model predicts for teams of up to 1,024 threads. growth.py PROGRAM

The same program prints the same figures on each machine.
"""
import argparse
import subprocess

import results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    results.add_option(parser)
    options = parser.parse_args()
    out = subprocess.run([options.program, "--table"], stdout=subprocess.PIPE, text=True, check=True).stdout
    print(out, end="")
    head, _, *lines = ([cell.strip() for cell in line.strip("|").split("|")] for line in out.splitlines())
    # Two columns each: a team whose threads share a line, and one in groups.
    names = [name.split(", one line")[0] for name in head]
    results.write_results(options.json, [
        {"machine": line[0], "threads": int(line[1])} | {names[i]: line[i:i + 2] for i in range(2, len(line), 2)} for line in lines])


if __name__ == "__main__":
    main()
