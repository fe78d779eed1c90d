# SPDX-License-Identifier: BSD-3-Clause
"""Checks the archive of an MPI program: check_ranks.py FOLDER RANKS. Its messages, collectives and ranks."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mpi"))
import ranks_facts

facts = ranks_facts.Ranks(sys.argv[1] + "/traces.otf2")
if facts.rank_count != int(sys.argv[2]):
    ranks_facts.fail(f"{facts.rank_count} ranks")
messages, size = facts.check_messages()
facts.check_collectives()
print(f"{messages} messages of {size} bytes between {facts.rank_count} ranks")
if messages == 0:
    ranks_facts.fail("no messages")
