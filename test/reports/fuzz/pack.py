# SPDX-License-Identifier: BSD-3-Clause
"""Makes an input of the fuzz target out of an experiment folder's logs: pack.py FOLDER OUTPUT [EVENT_BYTES].
Logs stay behind when a program is killed. Each thread's log is cut to EVENT_BYTES of records (1024)."""
import pathlib
import sys

HEADER, HEAD = 4096, 8 * 7  # TRACE_LOG_HEADER_BYTES; struct trace_log_thread

folder, output = map(pathlib.Path, sys.argv[1:3])
most = int(sys.argv[3]) if len(sys.argv) > 3 else 1024
logs = [(folder / "definitions.pomplog").read_bytes()]
for path in sorted(folder.glob("thread-*.pomplog"))[:8]:
    data = path.read_bytes()
    logs.append((data[:HEAD] + data[HEADER:HEADER + most]).rstrip(b"\0") + bytes(8))
output.write_bytes(b"".join(len(log).to_bytes(2, "little") + log for log in logs))
