/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of MPI that record more than their enter and leave. For every row and every call in it,
 * list-calls writes KIND(call, (types and parameters), (parameters), more) into the list that
 * MPI_WRAPPED_CALLS names; the types are those of mpi.h. A file of this folder defines the kind, a
 * macro that makes the function, and includes the list. Where an MPI has the call with MPI_Count in
 * place of int, whose name ends in _c, that is of the same kind.
 */
#ifndef WRAPPED_CALLS_H
#define WRAPPED_CALLS_H

#include <stdbool.h>

struct wrapped_calls {
	const char *kind, *calls, *parameters;
	const char *more; /* C text; the kind says what it means */
	bool is_new;      /* since MPI 4; this MPI may lack it */
};

#define SENT     "data send_count send_type destination send_tag buffer count type source tag comm "
#define IN_PLACE "buffer count type destination send_tag source tag comm "

/*
 * A collective operation: blocking, nonblocking and persistent. What follows is its operation and
 * root, and the bytes that this rank sends and receives, including what it keeps for itself. `size`
 * is the communicator's size, HERE tells whether this rank is the root, and PLAIN() and SUM() are
 * the bytes of a number of elements, and of all ranks' numbers.
 */
#define COLLECTIVE(name, begun, parameters, ...)                                                   \
	{"COLLECTIVE", #name, parameters, #__VA_ARGS__},                                           \
	    {"BEGINS_COLLECTIVE", #begun, parameters " request", "false, " #__VA_ARGS__},          \
	{                                                                                          \
		"BEGINS_COLLECTIVE", #name "_init", parameters " info request",                    \
		    "true, " #__VA_ARGS__, true                                                    \
	}

/* clang-format would take the products for pointers. */
/* clang-format off */
static const struct wrapped_calls wrapped_calls[] = {
	{"INITIALISES", "Init", "count arguments"},
	{"INITIALISES", "Init_thread", "count arguments required provided"},

	{"SENDS", "Send Bsend Rsend Ssend", "buffer count type destination tag comm"},
	{"RECEIVES", "Recv", "buffer count type source tag comm status"},
	{"EXCHANGES", "Sendrecv", SENT "status", "send_count, send_type"},
	{"EXCHANGES", "Sendrecv_replace", IN_PLACE "status", "count, type"},
	{"PROBES", "Mprobe", "source tag comm message status", "true"},
	{"PROBES", "Improbe", "source tag comm flag message status", "*flag"},
	{"RECEIVES_MESSAGE", "Mrecv", "buffer count type message status"},
	{"BEGINS_MESSAGE", "Imrecv", "buffer count type message request"},

	{"BEGINS_SEND", "Isend Ibsend Irsend Issend", "buffer count type destination tag comm request",
	    "false, 1"},
	{"BEGINS_SEND", "Send_init Bsend_init Rsend_init Ssend_init",
	    "buffer count type destination tag comm request", "true, 1"},
	{"BEGINS_SEND", "Psend_init", "buffer parts count type destination tag comm info request",
	    "true, parts", true},
	{"BEGINS_RECEIVE", "Irecv", "buffer count type source tag comm request", "false, 0"},
	{"BEGINS_RECEIVE", "Recv_init", "buffer count type source tag comm request", "true, 0"},
	{"BEGINS_RECEIVE", "Precv_init", "buffer parts count type source tag comm info request",
	    "true, parts", true},
	{"BEGINS_EXCHANGE", "Isendrecv", SENT "request", "send_count, send_type", true},
	{"BEGINS_EXCHANGE", "Isendrecv_replace", IN_PLACE "request", "count, type", true},

	{"COMPLETES", "Wait", "requests statuses", "1, MPI_STATUS_IGNORE, false, 1, 0"},
	{"COMPLETES", "Test", "requests flag statuses", "1, MPI_STATUS_IGNORE, true, *flag, 0"},
	{"COMPLETES", "Waitall", "count requests statuses",
	    "count, MPI_STATUSES_IGNORE, false, count, i"},
	{"COMPLETES", "Testall", "count requests flag statuses",
	    "count, MPI_STATUSES_IGNORE, true, *flag ? count : 0, i"},
	{"COMPLETES", "Waitany", "count requests index statuses",
	    "count, MPI_STATUS_IGNORE, false, *index != MPI_UNDEFINED, *index"},
	{"COMPLETES", "Testany", "count requests index flag statuses",
	    "count, MPI_STATUS_IGNORE, true, *flag && *index != MPI_UNDEFINED, *index"},
	{"COMPLETES", "Waitsome", "count requests done indices statuses",
	    "count, MPI_STATUSES_IGNORE, false, *done != MPI_UNDEFINED ? *done : 0, indices[i]"},
	{"COMPLETES", "Testsome", "count requests done indices statuses",
	    "count, MPI_STATUSES_IGNORE, true, *done != MPI_UNDEFINED ? *done : 0, indices[i]"},

	{"MAKES", "Comm_dup", "comm made"},
	{"MAKES", "Comm_dup_with_info", "comm info made"},
	{"MAKES", "Comm_split", "comm color key made"},
	{"MAKES", "Comm_split_type", "comm type key info made"},
	{"MAKES", "Comm_create", "comm group made"},
	{"MAKES", "Cart_create", "comm count sizes periods reorder made"},
	{"MAKES", "Cart_sub", "comm remain made"},
	{"MAKES", "Graph_create", "comm count index edges reorder made"},
	{"MAKES", "Dist_graph_create",
	    "comm count sources degrees destinations weights info reorder made"},
	{"MAKES", "Dist_graph_create_adjacent",
	    "comm in sources source_weights out destinations weights info reorder made"},
	{"MAKES_APART", "Comm_create_group", "comm group tag made"},
	{"MAKES_APART", "Intercomm_create", "local leader bridge remote_leader tag made"},
	{"MAKES_APART", "Intercomm_merge", "comm high made"},
	{"FREES", "Comm_free Comm_disconnect", "comm"},

	COLLECTIVE(Barrier, Ibarrier, "comm", BARRIER, TRACE_LOG_NO_ROOT, 0, 0),
	COLLECTIVE(Bcast, Ibcast, "data count type root comm", BCAST, root,
	    HERE ? size * PLAIN(type, count) : 0, PLAIN(type, count)),
	COLLECTIVE(Reduce, Ireduce, "data to count type operation root comm", REDUCE, root,
	    PLAIN(type, count), HERE ? size * PLAIN(type, count) : 0),
	COLLECTIVE(Allreduce, Iallreduce, "data to count type operation comm", ALLREDUCE,
	    TRACE_LOG_NO_ROOT, size * PLAIN(type, count), size * PLAIN(type, count)),
	COLLECTIVE(Scan, Iscan, "data to count type operation comm", SCAN, TRACE_LOG_NO_ROOT,
	    (size - rank) * PLAIN(type, count), (rank + 1) * PLAIN(type, count)),
	COLLECTIVE(Exscan, Iexscan, "data to count type operation comm", EXSCAN, TRACE_LOG_NO_ROOT,
	    (size - rank - 1) * PLAIN(type, count), rank * PLAIN(type, count)),
	COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, "data to count type operation comm",
	    REDUCE_SCATTER_BLOCK, TRACE_LOG_NO_ROOT, size * PLAIN(type, count),
	    size * PLAIN(type, count)),
	COLLECTIVE(Reduce_scatter, Ireduce_scatter, "data to counts type operation comm",
	    REDUCE_SCATTER, TRACE_LOG_NO_ROOT, SUM(type, counts), size * PLAIN(type, counts[rank])),
	COLLECTIVE(Gather, Igather, "data count type to to_count to_type root comm", GATHER, root,
	    NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_count),
	    HERE ? size * PLAIN(to_type, to_count) : 0),
	COLLECTIVE(Gatherv, Igatherv, "data count type to to_counts places to_type root comm", GATHERV,
	    root, NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_counts[rank]),
	    HERE ? SUM(to_type, to_counts) : 0),
	COLLECTIVE(Scatter, Iscatter, "data count type to to_count to_type root comm", SCATTER, root,
	    HERE ? size * PLAIN(type, count) : 0,
	    NOT_IN(to) ? PLAIN(to_type, to_count) : PLAIN(type, count)),
	COLLECTIVE(Scatterv, Iscatterv, "data counts places type to to_count to_type root comm",
	    SCATTERV, root, HERE ? SUM(type, counts) : 0,
	    NOT_IN(to) ? PLAIN(to_type, to_count) : PLAIN(type, counts[rank])),
	COLLECTIVE(Allgather, Iallgather, "data count type to to_count to_type comm", ALLGATHER,
	    TRACE_LOG_NO_ROOT, size * (NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_count)),
	    size * PLAIN(to_type, to_count)),
	COLLECTIVE(Allgatherv, Iallgatherv, "data count type to to_counts places to_type comm",
	    ALLGATHERV, TRACE_LOG_NO_ROOT,
	    size * (NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_counts[rank])),
	    SUM(to_type, to_counts)),
	COLLECTIVE(Alltoall, Ialltoall, "data count type to to_count to_type comm", ALLTOALL,
	    TRACE_LOG_NO_ROOT, size * (NOT_IN(data) ? PLAIN(type, count) : PLAIN(to_type, to_count)),
	    size * PLAIN(to_type, to_count)),
	COLLECTIVE(Alltoallv, Ialltoallv,
	    "data counts places type to to_counts to_places to_type comm", ALLTOALLV,
	    TRACE_LOG_NO_ROOT, NOT_IN(data) ? SUM(type, counts) : SUM(to_type, to_counts),
	    SUM(to_type, to_counts)),
	COLLECTIVE(Alltoallw, Ialltoallw,
	    "data counts places types to to_counts to_places to_types comm", ALLTOALLW,
	    TRACE_LOG_NO_ROOT, NOT_IN(data) ? SUMS(types, counts) : SUMS(to_types, to_counts),
	    SUMS(to_types, to_counts)),
};

/* clang-format on */

#endif
