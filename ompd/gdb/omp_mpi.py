# SPDX-License-Identifier: BSD-3-Clause
"""What MPI's calls and their arguments mean: which of them only look whether something has happened, and the numbers that
stand for no rank or for any, which each MPI has chosen itself."""
import re

import gdb
from omp_library import address_of

MPI = re.compile(r"P?MPI_\w+|p?mpi_\w+_")
# Calls that programs make again and again while they wait. What was waited for has happened when another one follows.
POLLS = re.compile(r"mpi_(test(all|any|some|_cancelled)?|im?probe|request_get_status(_all|_any|_some)?)_*", re.I)
BEGINS = ("Send", "Bsend", "Ssend", "Rsend", "Recv", "Sendrecv", "Sendrecv_replace", "Probe", "Mprobe", "Mrecv", "Imrecv",
          "Isend", "Ibsend", "Issend", "Irsend", "Irecv", "Start", "Startall", "Wait", "Waitall", "Waitany", "Waitsome",
          "Request_free", "Cancel", "Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
          "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan",
          "Exscan", "Ibarrier", "Ibcast", "Igather", "Igatherv", "Iscatter", "Iscatterv", "Iallgather", "Iallgatherv",
          "Ialltoall", "Ialltoallv", "Ialltoallw", "Ireduce", "Iallreduce", "Ireduce_scatter", "Iscan", "Iexscan", "Put", "Get",
          "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap", "Rput", "Rget", "Win_fence", "Win_lock",
          "Win_unlock", "Win_flush", "Win_post", "Win_start", "Win_complete", "Win_wait", "File_read", "File_write",
          "File_read_at", "File_write_at", "File_read_all", "File_write_all", "Finalize", "Abort")
COMMUNICATOR, SOURCE, DESTINATION, ROOT = "communicator", "source", "destination", "root"
TAGS = ("tag", "tag to send", "tag to receive")
ARGUMENTS = {"source": SOURCE, "src": SOURCE, "dest": DESTINATION, "dst": DESTINATION, "destination": DESTINATION, "root": ROOT,
             "comm": COMMUNICATOR, "tag": TAGS[0], "sendtag": TAGS[1], "send_tag": TAGS[1], "recvtag": TAGS[2]}
NO_RANK, ANY_SOURCE = "MPI_PROC_NULL", "MPI_ANY_SOURCE"
OPEN_MPI = {SOURCE: {-1: ANY_SOURCE, -2: NO_RANK}, DESTINATION: {-2: NO_RANK}, ROOT: {-2: NO_RANK, -4: "MPI_ROOT"},
            **{tag: {-1: "MPI_ANY_TAG"} for tag in TAGS}}
MPICH = {SOURCE: {-2: ANY_SOURCE, -1: NO_RANK}, DESTINATION: {-1: NO_RANK}, ROOT: {-1: NO_RANK, -3: "MPI_ROOT"},
         **{tag: {-1: "MPI_ANY_TAG"} for tag in TAGS}}
MPICH_WORLD = 0x44000000


def symbol(name):
    """Its address; None: the process has none of that name."""
    try:
        return address_of(name)
    except gdb.error:
        return None


def worlds():
    """MPI_COMM_WORLD: of Open MPI an address, of MPICH a number."""
    return [world for world in (symbol("ompi_mpi_comm_world"), MPICH_WORLD) if world is not None]


def special(meaning, number):
    """The name of a number that stands for no rank, for any rank or for any tag in the process's MPI; None: it is one like
    others, or the MPI is unknown. MPICH's relatives have its numbers."""
    if number >= 0:
        return None
    known = OPEN_MPI if symbol("ompi_mpi_comm_world") is not None else MPICH if symbol("MPIR_Err_create_code") is not None else {}
    return known.get(meaning, {}).get(number)


def value_words(meaning, number):
    return special(meaning, number) or str(number)


def peers_of(details):
    """The ranks that a call between two waits for, by its arguments (meaning, value); None: any, or unknown."""
    named = [(special(meaning, number), number) for meaning, number in details if meaning in (SOURCE, DESTINATION)]
    ranks = {number for name, number in named if name != NO_RANK}
    return ranks if named and all(rank >= 0 for rank in ranks) else None
