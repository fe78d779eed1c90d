# SPDX-License-Identifier: BSD-3-Clause
"""Every file of a small archive, cut at every byte: cut-archive.py CUT_ARCHIVE MAKE_ARCHIVE"""
import subprocess
import sys
import tempfile
from pathlib import Path

cut_archive, make_archive = sys.argv[1:3]
# A file system that writes each cut file to the disk would take most of the time.
memory = Path("/dev/shm")
with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as temporary:
    folder = Path(temporary) / "tasks"
    subprocess.run([make_archive, "tasks", folder], check=True)
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    sys.exit(subprocess.run([cut_archive, folder, *names]).returncode)
