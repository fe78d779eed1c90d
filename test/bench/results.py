# SPDX-License-Identifier: BSD-3-Clause
"""The option --json of benchmarks: what they have measured, for tools/performance."""
import json


def add_option(parser):
    parser.add_argument("--json", metavar="FILE", help="write what was measured to FILE, too, for tools/performance")


def write_results(path, rows):
    """rows: dictionaries, one for each line of the printed table; path None: nothing is written."""
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
            file.write("\n")
