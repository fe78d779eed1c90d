/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages and collective operations as OTF2 events, and the roles of MPI's functions. An event on
 * a communicator that the log does not define is left out: no reader could show it.
 */
#include "mpi-events.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static uint32_t peer_of(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

static uint32_t tag_of(uint64_t word)
{
	return (uint32_t)word;
}

static OTF2_CollectiveOp operation_of(uint64_t word)
{
	static const OTF2_CollectiveOp operations[] = {
#define OPERATION(name) OTF2_COLLECTIVE_OP_##name,
	    TRACE_LOG_COLLECTIVES(OPERATION)
#undef OPERATION
	};
	uint64_t operation = word >> 32;

	return operations[operation < TRACE_LOG_COLLECTIVE_COUNT ? operation : 0];
}

static uint32_t root_of(uint64_t word)
{
	return (uint32_t)word == TRACE_LOG_NO_ROOT ? OTF2_COLLECTIVE_ROOT_NONE : (uint32_t)word;
}

/* Writes records that refer to a communicator. */
static OTF2_ErrorCode write_with_comm(
    struct convert_location *location, const struct convert_record *record, OTF2_CommRef comm)
{
	OTF2_EvtWriter *writer = location->writer;
	OTF2_TimeStamp time = location->time;
	const uint64_t *word = record->payload;

	switch (record->kind) {
	case TRACE_LOG_MPI_SEND:
		return OTF2_EvtWriter_MpiSend(
		    writer, NULL, time, peer_of(word[0]), comm, tag_of(word[0]), word[1]);
	case TRACE_LOG_MPI_RECEIVE:
		return OTF2_EvtWriter_MpiRecv(
		    writer, NULL, time, peer_of(word[0]), comm, tag_of(word[0]), word[1]);
	case TRACE_LOG_MPI_ISEND:
		return OTF2_EvtWriter_MpiIsend(
		    writer, NULL, time, peer_of(word[0]), comm, tag_of(word[0]), word[1], word[2]);
	case TRACE_LOG_MPI_IRECEIVE:
		return OTF2_EvtWriter_MpiIrecv(
		    writer, NULL, time, peer_of(word[0]), comm, tag_of(word[0]), word[1], word[2]);
	case TRACE_LOG_MPI_COLLECTIVE_END:
		return OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time, operation_of(word[0]),
		    comm, root_of(word[0]), word[1], word[2]);
	case TRACE_LOG_MPI_COLLECTIVE_DONE:
		return OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL, time,
		    operation_of(word[0]), comm, root_of(word[0]), word[1], word[2], word[3]);
	default:
		return OTF2_SUCCESS;
	}
}

void convert_mpi_record(struct convert_location *location, const struct convert_record *record)
{
	const struct convert_archive *archive = location->archive;
	OTF2_EvtWriter *writer = location->writer;
	OTF2_TimeStamp time = location->time;
	uint64_t request = record->payload[0];
	OTF2_ErrorCode code = OTF2_SUCCESS;

	if (archive->mpi_comms == 0)
		return;
	switch (record->kind) {
	case TRACE_LOG_MPI_ISEND_DONE:
		code = OTF2_EvtWriter_MpiIsendComplete(writer, NULL, time, request);
		break;
	case TRACE_LOG_MPI_IRECEIVE_BEGIN:
		code = OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, request);
		break;
	case TRACE_LOG_MPI_REQUEST_TEST:
		code = OTF2_EvtWriter_MpiRequestTest(writer, NULL, time, request);
		break;
	case TRACE_LOG_MPI_REQUEST_CANCELLED:
		code = OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, time, request);
		break;
	case TRACE_LOG_MPI_COLLECTIVE_BEGIN:
		code = OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time);
		break;
	case TRACE_LOG_MPI_COLLECTIVE_REQUEST:
		code = OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, NULL, time, request);
		break;
	default:
		if (record->argument < archive->mpi_comms)
			code = write_with_comm(location, record,
			    (OTF2_CommRef)archive->teams->comm_count + record->argument);
		break;
	}
	convert_location_check(location, code);
}

#define ROLE(name) OTF2_REGION_ROLE_##name

/*
 * The first row matches whose text begins the name, after MPI_ and, for nonblocking functions,
 * after the I.
 */
static const struct {
	const char *begins;
	OTF2_RegionRole role;
} roles[] = {
    {"Barrier", ROLE(BARRIER)},
    {"Bcast", ROLE(COLL_ONE2ALL)},
    {"Scatter", ROLE(COLL_ONE2ALL)},
    {"Gather", ROLE(COLL_ALL2ONE)},
    {"Reduce_scatter", ROLE(COLL_ALL2ALL)},
    {"Reduce_local", ROLE(FUNCTION)},
    {"Reduce", ROLE(COLL_ALL2ONE)},
    {"Allgather", ROLE(COLL_ALL2ALL)},
    {"Allreduce", ROLE(COLL_ALL2ALL)},
    {"Alltoall", ROLE(COLL_ALL2ALL)},
    {"Neighbor_", ROLE(COLL_OTHER)},
    {"Scan", ROLE(COLL_OTHER)},
    {"Exscan", ROLE(COLL_OTHER)},
    {"File_", ROLE(FILE_IO)},
    {"Win_", ROLE(RMA)},
    {"Put", ROLE(RMA)},
    {"Rput", ROLE(RMA)},
    {"Get_accumulate", ROLE(RMA)},
    {"Rget", ROLE(RMA)},
    {"Accumulate", ROLE(RMA)},
    {"Raccumulate", ROLE(RMA)},
    {"Fetch_and_op", ROLE(RMA)},
    {"Compare_and_swap", ROLE(RMA)},
    {"Sendrecv", ROLE(POINT2POINT)},
    {"Send", ROLE(POINT2POINT)},
    {"Bsend", ROLE(POINT2POINT)},
    {"Ssend", ROLE(POINT2POINT)},
    {"Rsend", ROLE(POINT2POINT)},
    {"Recv", ROLE(POINT2POINT)},
    {"Mrecv", ROLE(POINT2POINT)},
    {"Probe", ROLE(POINT2POINT)},
    {"Mprobe", ROLE(POINT2POINT)},
    {"Psend", ROLE(POINT2POINT)},
    {"Precv", ROLE(POINT2POINT)},
    {"Pready", ROLE(POINT2POINT)},
    {"Parrived", ROLE(POINT2POINT)},
    {"Wait", ROLE(POINT2POINT)},
    {"Test", ROLE(POINT2POINT)},
    {"Start", ROLE(POINT2POINT)},
    {"Cancel", ROLE(POINT2POINT)},
    {"Request_", ROLE(POINT2POINT)},
};

static OTF2_RegionRole role_of(const char *function)
{
	const char *name = function;

	if (strncmp(name, "MPI_", 4) == 0)
		name += 4;
	if (strcmp(name, "Get") == 0)
		return ROLE(RMA);
	if (strcmp(name, "Test_cancelled") == 0)
		return ROLE(FUNCTION);
	for (int behind = 0; behind <= (name[0] == 'I' ? 1 : 0); behind++)
		for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
			if (toupper((unsigned char)name[behind]) == roles[i].begins[0] &&
			    strncmp(name + behind + 1, roles[i].begins + 1,
				strlen(roles[i].begins) - 1) == 0)
				return roles[i].role;
	return ROLE(FUNCTION);
}

struct convert_region_text convert_describe_mpi(const char *function)
{
	return (struct convert_region_text){
	    .name = strdup(function),
	    .description = "",
	    .file = "",
	    .role = role_of(function),
	    .paradigm = OTF2_PARADIGM_MPI,
	};
}
