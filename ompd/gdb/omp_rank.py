# SPDX-License-Identifier: BSD-3-Clause
"""The rank of the process in a program with many: from libpomp, which got it from MPI itself, else from the
variables that the launcher set in the process's environment. Both are read from memory, so a core file
works as well."""
import gdb
from omp_library import address_of
from omp_table import Table

# The variables of a rank's number and of how many there are, by launcher. An mpirun that was started
# within a Slurm job leaves the job's own variables in place, so its own come first.
LAUNCHERS = (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
             ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
             ("PMI_RANK", "PMI_SIZE"),
             ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
             ("SLURM_PROCID", "SLURM_NTASKS"))
WANTED = {name for row in LAUNCHERS for name in row}
PAGE, LONGEST = 4096, 64  # for "NAME=number", with a margin
MOST_VARIABLES = 1 << 14


class Rank:
    """A rank's number, the number of ranks, and the source of that information."""

    def __init__(self, number, size, source):
        self.number, self.size, self.source = number, size, source


def head_of_text(address):
    """The first bytes of a text, up to its end; the next page may not exist."""
    memory, here = gdb.selected_inferior(), min(LONGEST, PAGE - address % PAGE)
    text = bytes(memory.read_memory(address, here))
    if b"\0" not in text and here < LONGEST:
        text += bytes(memory.read_memory(address + here, LONGEST - here))
    return text.split(b"\0")[0].decode(errors="replace")


def environment():
    """The launchers' variables in the process: {name: value}. gdb may find the dynamic loader's vector,
    with which the process began, or libc's, which setenv() changes; both contain the launcher's
    variables. If the program defines `environ` itself, it contains libc's vector."""
    texts = gdb.lookup_type("char").pointer().pointer()
    for symbol in ("environ", "__environ"):
        found = {}
        try:
            vector = gdb.Value(address_of(symbol)).cast(texts.pointer()).dereference()
            for i in range(MOST_VARIABLES if int(vector) else 0):
                place = int(vector[i])
                if not place:
                    break
                name, _, value = head_of_text(place).partition("=")
                if name in WANTED:
                    found.setdefault(name, value)  # like getenv(), which returns the first
        except gdb.error:  # no such symbol, or memory that cannot be read
            pass
        if found:
            return found
    return {}


def rank_of_libpomp():
    """The rank according to the wrappers of MPI, between MPI_Init and MPI_Finalize. None: there are no
    ranks."""
    try:
        table = Table("pomp_debug_table")
        rank = table.roots[3]
        ranks = table.field(rank, "pomp_rank.ranks")
        return Rank(table.field(ranks, "pomp_ranks.rank"), table.field(ranks, "pomp_ranks.size"),
                    "MPI_COMM_WORLD") if ranks else None
    except (gdb.error, KeyError):  # no libpomp, or one that has no ranks yet
        return None


def rank_of_launcher():
    found = environment()
    for number, size in LAUNCHERS:
        if found.get(number, "").isdecimal() and found.get(size, "").isdecimal():
            return Rank(int(found[number]), int(found[size]), number)
    return None


def rank_of_process():
    """None: the process is not one of many ranks."""
    rank = rank_of_libpomp() or rank_of_launcher()
    return rank if rank is not None and rank.number < rank.size and rank.size > 1 else None


def print_rank():
    """The first line of a command that shows the whole process; nothing if there is only one rank."""
    rank = rank_of_process()
    if rank is not None:
        print("rank %d of %d" % (rank.number, rank.size))
