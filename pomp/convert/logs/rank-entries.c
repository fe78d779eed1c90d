/* SPDX-License-Identifier: BSD-3-Clause */
/* The definitions log's entries that only a rank of MPI has: communicators and comparisons of
 * clocks. */
#include "log-reader.h"

#include <stdlib.h>
#include <string.h>

static bool add_comm(struct convert_input *input, const char *data, const char *end)
{
	struct convert_mpi_comm comm = {0};

	if ((size_t)(end - data) < sizeof(comm.head))
		return true;
	memcpy(&comm.head, data, sizeof(comm.head));
	size_t room = (size_t)(end - data) - sizeof(comm.head);
	if (!convert_is_comm_number(input, comm.head.number) || comm.head.size == 0 ||
	    comm.head.member_count > room / sizeof(uint32_t))
		return true;
	comm.members = (const uint32_t *)(const void *)(data + sizeof(comm.head));
	if (comm.head.number >= input->comm_count) {
		size_t count = (size_t)comm.head.number + 1;
		struct convert_mpi_comm *comms = realloc(input->comms, count * sizeof(*comms));
		if (comms == NULL)
			return false;
		memset(comms + input->comm_count, 0, (count - input->comm_count) * sizeof(*comms));
		input->comms = comms;
		input->comm_count = count;
	}
	input->comms[comm.head.number] = comm;
	return true;
}

/* The latest name counts; a name is given by a member, after the communicator was defined. */
static void add_name(struct convert_input *input, const char *data, const char *end)
{
	struct trace_log_comm_name head;

	if ((size_t)(end - data) <= sizeof(head) || end[-1] != '\0')
		return;
	memcpy(&head, data, sizeof(head));
	for (size_t i = 0; i < input->comm_count; i++)
		if (input->comms[i].head.size > 0 && input->comms[i].head.identity == head.identity)
			input->comms[i].name = data + sizeof(head);
}

static bool add_sync(struct convert_input *input, const char *data, const char *end)
{
	if ((size_t)(end - data) < sizeof(struct trace_log_sync))
		return true;
	struct trace_log_sync *syncs =
	    realloc(input->syncs, (input->sync_count + 1) * sizeof(*syncs));
	if (syncs == NULL)
		return false;
	input->syncs = syncs;
	memcpy(&syncs[input->sync_count++], data, sizeof(*syncs));
	return true;
}

bool convert_add_rank_entry(
    struct convert_input *input, uint32_t type, const char *data, const char *end)
{
	switch (type) {
	case TRACE_LOG_COMM:
		return add_comm(input, data, end);
	case TRACE_LOG_COMM_NAME:
		add_name(input, data, end);
		return true;
	case TRACE_LOG_SYNC:
		return add_sync(input, data, end);
	case TRACE_LOG_HOST:
		if (data < end && end[-1] == '\0')
			input->host = data;
		return true;
	default:
		return true;
	}
}
