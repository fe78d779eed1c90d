/* SPDX-License-Identifier: BSD-3-Clause */
/* See mpi-writer.h. Definitions as Score-P writes them for MPI, by OTF2's documentation. */
#include "mpi-writer.h"

static const struct call_row {
	const char *name;
	OTF2_RegionRole role;
} calls[MPI_CALLS] = {
    [CALL_SEND] = {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT},
    [CALL_RECV] = {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT},
    [CALL_ISEND] = {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT},
    [CALL_IRECV] = {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT},
    [CALL_WAITALL] = {"MPI_Waitall", OTF2_REGION_ROLE_POINT2POINT},
    [CALL_BARRIER] = {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER},
    [CALL_ALLREDUCE] = {"MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL},
    [CALL_BCAST] = {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
    [CALL_REDUCE] = {"MPI_Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
    [CALL_SCAN] = {"MPI_Scan", OTF2_REGION_ROLE_COLL_OTHER},
    [CALL_IALLREDUCE] = {"MPI_Iallreduce", OTF2_REGION_ROLE_COLL_ALL2ALL},
    [CALL_CANCEL] = {"MPI_Cancel", OTF2_REGION_ROLE_POINT2POINT},
};

/* Behind the teams' communicators. */
static OTF2_CommRef comm_ref(const struct writer *writer, enum mpi_comm comm)
{
	return comm == COMM_UNDEFINED ? 4711 : writer_comms(writer) + (OTF2_CommRef)comm;
}

int mpi_members(const struct writer *writer, enum mpi_comm comm, int *members)
{
	int count = 0;

	if (comm == COMM_WORLD) {
		for (; count < writer->processes; count++)
			members[count] = count;
	} else {
		for (int rank = writer->processes - 1; rank >= 0; rank--) {
			if (rank != 1)
				members[count++] = rank;
		}
	}
	return count;
}

static OTF2_GroupRef define_group(struct writer *writer, OTF2_GroupType type, OTF2_GroupRef group,
    int count, const uint64_t *members)
{
	OTF2_GlobalDefWriter_WriteGroup(writer->definitions, group, 0, type, OTF2_PARADIGM_MPI,
	    OTF2_GROUP_FLAG_NONE, (uint32_t)count, members);
	return group;
}

static void define_comm(
    struct writer *writer, enum mpi_comm comm, const char *name, OTF2_GroupRef group)
{
	OTF2_GlobalDefWriter_WriteComm(writer->definitions, comm_ref(writer, comm),
	    writer_string(writer, name), group,
	    comm == COMM_WORLD ? OTF2_UNDEFINED_COMM : comm_ref(writer, COMM_WORLD),
	    OTF2_COMM_FLAG_NONE);
}

static void define(struct writer *writer)
{
	OTF2_GroupRef group = writer_comms(writer) + 1;
	uint64_t members[WRITER_RANKS];
	int some[WRITER_RANKS], count;

	for (int i = 0; i < MPI_CALLS; i++) {
		OTF2_StringRef name = writer_string(writer, calls[i].name);

		OTF2_GlobalDefWriter_WriteRegion(writer->definitions, (OTF2_RegionRef)(REGIONS + i),
		    name, name, 0, calls[i].role, OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
		    OTF2_UNDEFINED_STRING, 0, 0);
	}
	for (int i = 0; i < writer->processes; i++)
		members[i] = (uint64_t)(i * writer->threads / writer->processes);
	define_group(writer, OTF2_GROUP_TYPE_COMM_LOCATIONS, group++, writer->processes, members);
	for (int i = 0; i < writer->processes; i++)
		members[i] = (uint64_t)i;
	define_comm(writer, COMM_WORLD, "MPI_COMM_WORLD",
	    define_group(writer, OTF2_GROUP_TYPE_COMM_GROUP, group++, writer->processes, members));
	define_comm(writer, COMM_SELF, "MPI_COMM_SELF",
	    define_group(writer, OTF2_GROUP_TYPE_COMM_SELF, group++, 0, NULL));
	count = mpi_members(writer, COMM_SOME, some);
	for (int i = 0; i < count; i++)
		members[i] = (uint64_t)some[i];
	define_comm(writer, COMM_SOME, "some",
	    define_group(writer, OTF2_GROUP_TYPE_COMM_GROUP, group, count, members));
}

/* Not every reader knows those between two groups. */
static void define_all(struct writer *writer)
{
	OTF2_GroupRef group = writer_comms(writer) + 4; /* of COMM_SOME */

	define(writer);
	OTF2_GlobalDefWriter_WriteInterComm(writer->definitions, comm_ref(writer, COMM_INTER),
	    writer_string(writer, "between"), group, group, comm_ref(writer, COMM_WORLD),
	    OTF2_COMM_FLAG_NONE);
}

void mpi_open(struct writer *writer, int ranks, bool inter)
{
	writer->processes = ranks;
	writer->define_more = inter ? define_all : define;
}

void mpi_enter(struct writer *writer, int thread, enum mpi_call call)
{
	OTF2_EvtWriter_Enter(writer->events[thread], NULL, writer->now[thread],
	    (OTF2_RegionRef)(REGIONS + (int)call));
}

void mpi_leave(struct writer *writer, int thread, enum mpi_call call, uint64_t at)
{
	if (at > writer->now[thread])
		writer->now[thread] = at;
	OTF2_EvtWriter_Leave(writer->events[thread], NULL, writer->now[thread],
	    (OTF2_RegionRef)(REGIONS + (int)call));
}

#define HERE          writer->events[thread], NULL, writer->now[thread]
#define BYTES_OF(tag) (8 * ((uint64_t)(tag) + 1))

void mpi_send(struct writer *writer, int thread, enum mpi_comm comm, uint32_t to, uint32_t tag)
{
	OTF2_EvtWriter_MpiSend(HERE, to, comm_ref(writer, comm), tag, BYTES_OF(tag));
}

void mpi_recv(struct writer *writer, int thread, enum mpi_comm comm, uint32_t from, uint32_t tag)
{
	OTF2_EvtWriter_MpiRecv(HERE, from, comm_ref(writer, comm), tag, BYTES_OF(tag));
}

void mpi_isend(struct writer *writer, int thread, enum mpi_comm comm, uint32_t to, uint32_t tag,
    uint64_t request)
{
	OTF2_EvtWriter_MpiIsend(HERE, to, comm_ref(writer, comm), tag, BYTES_OF(tag), request);
}

void mpi_irecv(struct writer *writer, int thread, enum mpi_comm comm, uint32_t from, uint32_t tag,
    uint64_t request)
{
	OTF2_EvtWriter_MpiIrecv(HERE, from, comm_ref(writer, comm), tag, BYTES_OF(tag), request);
}

void mpi_isend_complete(struct writer *writer, int thread, uint64_t request)
{
	OTF2_EvtWriter_MpiIsendComplete(HERE, request);
}

void mpi_irecv_request(struct writer *writer, int thread, uint64_t request)
{
	OTF2_EvtWriter_MpiIrecvRequest(HERE, request);
}

void mpi_cancelled(struct writer *writer, int thread, uint64_t request)
{
	OTF2_EvtWriter_MpiRequestCancelled(HERE, request);
}

void mpi_collective_begin(struct writer *writer, int thread)
{
	OTF2_EvtWriter_MpiCollectiveBegin(HERE);
}

void mpi_collective(struct writer *writer, int thread, enum mpi_comm comm,
    OTF2_CollectiveOp operation, uint32_t root)
{
	OTF2_EvtWriter_MpiCollectiveEnd(HERE, operation, comm_ref(writer, comm), root, 8, 8);
}

void mpi_collective_request(struct writer *writer, int thread, uint64_t request)
{
	OTF2_EvtWriter_NonBlockingCollectiveRequest(HERE, request);
}

void mpi_collective_done(struct writer *writer, int thread, enum mpi_comm comm,
    OTF2_CollectiveOp operation, uint64_t request)
{
	OTF2_EvtWriter_NonBlockingCollectiveComplete(
	    HERE, operation, comm_ref(writer, comm), OTF2_COLLECTIVE_ROOT_NONE, 8, 8, request);
}
