/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every collective operation once. The including file defines COUNT and COLLECTIVE(name,
 * nonblocking name, operation, parameters, arguments, root, sent, received). Parameters and
 * arguments are in parentheses and do not contain the request of the nonblocking call. sent and
 * received are bytes of this rank, including what it keeps for itself; `size` is the communicator's
 * size, and HERE tells whether this rank is the root.
 */
#define PLAIN(type, n) mpi_bytes((uint64_t)(n), type)
#define HERE           (rank == (uint64_t)root)
#define NOT_IN(buffer) ((buffer) != MPI_IN_PLACE)

/* clang-format would take the products for pointers. */
/* clang-format off */
COLLECTIVE(Bcast, Ibcast, BCAST, (void *data, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),
    (data, count, type, root, comm), root, HERE ? size * PLAIN(type, count) : 0, PLAIN(type, count))
COLLECTIVE(Reduce, Ireduce, REDUCE,
    (const void *data, void *to, COUNT count, MPI_Datatype type, MPI_Op operation, int root, MPI_Comm comm),
    (data, to, count, type, operation, root, comm), root, PLAIN(type, count),
    HERE ? size * PLAIN(type, count) : 0)
COLLECTIVE(Allreduce, Iallreduce, ALLREDUCE,
    (const void *data, void *to, COUNT count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
    (data, to, count, type, operation, comm), TRACE_LOG_NO_ROOT, size * PLAIN(type, count),
    size * PLAIN(type, count))
COLLECTIVE(Scan, Iscan, SCAN,
    (const void *data, void *to, COUNT count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
    (data, to, count, type, operation, comm), TRACE_LOG_NO_ROOT, (size - rank) * PLAIN(type, count),
    (rank + 1) * PLAIN(type, count))
COLLECTIVE(Exscan, Iexscan, EXSCAN,
    (const void *data, void *to, COUNT count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
    (data, to, count, type, operation, comm), TRACE_LOG_NO_ROOT,
    (size - rank - 1) * PLAIN(type, count), rank * PLAIN(type, count))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, REDUCE_SCATTER_BLOCK,
    (const void *data, void *to, COUNT count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
    (data, to, count, type, operation, comm), TRACE_LOG_NO_ROOT, size * PLAIN(type, count),
    size * PLAIN(type, count))
COLLECTIVE(Reduce_scatter, Ireduce_scatter, REDUCE_SCATTER,
    (const void *data, void *to, const COUNT counts[], MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
    (data, to, counts, type, operation, comm), TRACE_LOG_NO_ROOT, SUM(type, counts),
    size * PLAIN(type, counts[rank]))
COLLECTIVE(Gather, Igather, GATHER,
    (const void *data, COUNT count, MPI_Datatype type, void *to, COUNT to_count, MPI_Datatype to_type,
	int root, MPI_Comm comm),
    (data, count, type, to, to_count, to_type, root, comm), root,
    NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_count),
    HERE ? size * PLAIN(to_type, to_count) : 0)
COLLECTIVE(Gatherv, Igatherv, GATHERV,
    (const void *data, COUNT count, MPI_Datatype type, void *to, const COUNT to_counts[],
	const OFFSET places[], MPI_Datatype to_type, int root, MPI_Comm comm),
    (data, count, type, to, to_counts, places, to_type, root, comm), root,
    NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_counts[rank]),
    HERE ? SUM(to_type, to_counts) : 0)
COLLECTIVE(Scatter, Iscatter, SCATTER,
    (const void *data, COUNT count, MPI_Datatype type, void *to, COUNT to_count, MPI_Datatype to_type,
	int root, MPI_Comm comm),
    (data, count, type, to, to_count, to_type, root, comm), root, HERE ? size * PLAIN(type, count) : 0,
    NOT_IN(to) ? PLAIN(to_type, to_count) : PLAIN(type, count))
COLLECTIVE(Scatterv, Iscatterv, SCATTERV,
    (const void *data, const COUNT counts[], const OFFSET places[], MPI_Datatype type, void *to,
	COUNT to_count, MPI_Datatype to_type, int root, MPI_Comm comm),
    (data, counts, places, type, to, to_count, to_type, root, comm), root, HERE ? SUM(type, counts) : 0,
    NOT_IN(to) ? PLAIN(to_type, to_count) : PLAIN(type, counts[rank]))
COLLECTIVE(Allgather, Iallgather, ALLGATHER,
    (const void *data, COUNT count, MPI_Datatype type, void *to, COUNT to_count, MPI_Datatype to_type,
	MPI_Comm comm),
    (data, count, type, to, to_count, to_type, comm), TRACE_LOG_NO_ROOT,
    size * (NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_count)),
    size * PLAIN(to_type, to_count))
COLLECTIVE(Allgatherv, Iallgatherv, ALLGATHERV,
    (const void *data, COUNT count, MPI_Datatype type, void *to, const COUNT to_counts[],
	const OFFSET places[], MPI_Datatype to_type, MPI_Comm comm),
    (data, count, type, to, to_counts, places, to_type, comm), TRACE_LOG_NO_ROOT,
    size * (NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_counts[rank])),
    SUM(to_type, to_counts))
COLLECTIVE(Alltoall, Ialltoall, ALLTOALL,
    (const void *data, COUNT count, MPI_Datatype type, void *to, COUNT to_count, MPI_Datatype to_type,
	MPI_Comm comm),
    (data, count, type, to, to_count, to_type, comm), TRACE_LOG_NO_ROOT,
    size * (NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_count)),
    size * PLAIN(to_type, to_count))
COLLECTIVE(Alltoallv, Ialltoallv, ALLTOALLV,
    (const void *data, const COUNT counts[], const OFFSET places[], MPI_Datatype type, void *to,
	const COUNT to_counts[], const OFFSET to_places[], MPI_Datatype to_type, MPI_Comm comm),
    (data, counts, places, type, to, to_counts, to_places, to_type, comm), TRACE_LOG_NO_ROOT,
    NOT_IN(data) ? SUM(type, counts) : SUM(to_type, to_counts), SUM(to_type, to_counts))
COLLECTIVE(Alltoallw, Ialltoallw, ALLTOALLW,
    (const void *data, const COUNT counts[], const OFFSET places[], const MPI_Datatype types[], void *to,
	const COUNT to_counts[], const OFFSET to_places[], const MPI_Datatype to_types[], MPI_Comm comm),
    (data, counts, places, types, to, to_counts, to_places, to_types, comm), TRACE_LOG_NO_ROOT,
    NOT_IN(data) ? SUMS(types, counts) : SUMS(to_types, to_counts), SUMS(to_types, to_counts))

/* clang-format on */

#undef PLAIN
#undef HERE
#undef NOT_IN
