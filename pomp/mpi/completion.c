/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that wait for requests or test them: a single one, all, any or some. */
#include "notes.h"
#include "requests.h"

#include <stdlib.h>

/*
 * The state from before the call: the requests of the handles, and statuses if the program wants
 * none.
 */
struct completion {
	int count;
	struct mpi_request **requests, *few_requests[32];
	MPI_Status *statuses, few_statuses[32];
	bool owns_statuses; /* *statuses was allocated for us */
};

static bool make_room(struct completion *completion, int count)
{
	completion->requests = completion->few_requests;
	completion->statuses = completion->few_statuses;
	if (count <= (int)(sizeof(completion->few_requests) / sizeof(completion->few_requests[0])))
		return true;
	completion->requests = malloc((size_t)count * sizeof(*completion->requests));
	completion->statuses = malloc((size_t)count * sizeof(*completion->statuses));
	if (completion->requests != NULL && completion->statuses != NULL)
		return true;
	free(completion->requests);
	free(completion->statuses);
	return false;
}

static void free_room(struct completion *completion)
{
	if (completion->requests == completion->few_requests)
		return;
	free(completion->requests);
	free(completion->statuses);
}

/*
 * Takes the requests of the handles out of the table. Returns false when there is nothing to note;
 * changes *statuses only if it is `ignored`.
 */
static bool begin(struct completion *completion, int count, const MPI_Request *handles,
    MPI_Status **statuses, MPI_Status *ignored)
{
	bool any = false;

	if (!mpi_logs || count <= 0 || !make_room(completion, count))
		return false;
	completion->count = count;
	for (int i = 0; i < count; i++) {
		completion->requests[i] = handles[i] != MPI_REQUEST_NULL
					      ? mpi_request_take(mpi_handle(handles[i]))
					      : NULL;
		any |= completion->requests[i] != NULL;
	}
	if (!any) {
		free_room(completion);
		return false;
	}
	completion->owns_statuses = *statuses == ignored;
	if (completion->owns_statuses) {
		*statuses = completion->statuses;
		return true;
	}
	if (completion->statuses != completion->few_statuses)
		free(completion->statuses);
	completion->statuses = *statuses;
	return true;
}

static bool was_cancelled(const struct mpi_request *request, const MPI_Status *status)
{
	int cancelled = 0;

	return request->cancelled && PMPI_Test_cancelled(status, &cancelled) == MPI_SUCCESS &&
	       cancelled;
}

static void note_sent(const struct mpi_request *request, const MPI_Status *status)
{
	pomp_rank_note(was_cancelled(request, status) ? TRACE_LOG_MPI_REQUEST_CANCELLED
						      : TRACE_LOG_MPI_ISEND_DONE,
	    0, &request->number);
}

static void note_received(
    const struct mpi_request *request, uint64_t number, const MPI_Status *status)
{
	if (was_cancelled(request, status) || status->MPI_SOURCE < 0)
		pomp_rank_note(TRACE_LOG_MPI_REQUEST_CANCELLED, 0, &number);
	else
		pomp_rank_note(TRACE_LOG_MPI_IRECEIVE, request->comm,
		    (uint64_t[4]){
			mpi_message_word(request->peers, status->MPI_SOURCE, status->MPI_TAG),
			mpi_received_bytes(status), number});
}

static void note_asked(const struct mpi_request *request, uint64_t number)
{
	pomp_rank_note(TRACE_LOG_MPI_IRECEIVE, request->comm,
	    (uint64_t[4]){request->words[0], request->words[1], number});
}

/*
 * MPICH does not fill in the status of an exchange. If no wildcard was used, the message that was
 * asked for is taken as received.
 */
static void note_exchanged(const struct mpi_request *request, const MPI_Status *status)
{
	uint64_t came = mpi_message_word(request->peers, status->MPI_SOURCE, status->MPI_TAG);
	uint64_t bytes = mpi_received_bytes(status);

	if (request->words[1] != 0 &&
	    (came != request->words[0] || bytes == 0 || bytes > request->words[1]))
		note_asked(request, request->received);
	else
		note_received(request, request->received, status);
}

static void note_done(const struct mpi_request *request, const MPI_Status *status)
{
	switch (request->kind) {
	case REQUEST_SEND:
		note_sent(request, status);
		break;
	case REQUEST_RECEIVE:
		/* Partitioned: no wildcards, and the status is not needed. */
		if (request->words[1] != 0)
			note_asked(request, request->number);
		else
			note_received(request, request->number, status);
		break;
	case REQUEST_EXCHANGE:
		if (request->number != 0)
			pomp_rank_note(TRACE_LOG_MPI_ISEND_DONE, 0, &request->number);
		if (request->received != 0)
			note_exchanged(request, status);
		break;
	case REQUEST_COLLECTIVE:
		pomp_rank_note(TRACE_LOG_MPI_COLLECTIVE_DONE, request->comm,
		    (uint64_t[4]){
			request->words[0], request->words[1], request->words[2], request->number});
		break;
	case REQUEST_COMM:
		mpi_comm_kept(request->number, *request->made);
		break;
	case REQUEST_MESSAGE:
		break;
	}
}

/* Notes that the request at `index` is complete, according to the status at `place`. */
static void finish(struct completion *completion, int index, int place)
{
	struct mpi_request *request = completion->requests[index];

	if (request == NULL)
		return;
	if (request->active)
		note_done(request, &completion->statuses[place]);
	request->active = false;
	if (request->persistent)
		mpi_request_put_back(request);
	else
		mpi_request_release(request);
	completion->requests[index] = NULL;
}

/* Puts back requests that are not complete; `tested`: the program tested them and learnt that. */
static void end(struct completion *completion, bool tested)
{
	for (int i = 0; i < completion->count; i++) {
		struct mpi_request *request = completion->requests[i];
		if (request == NULL)
			continue;
		if (tested && request->active && request->kind != REQUEST_COMM &&
		    request->number != 0)
			pomp_rank_note(TRACE_LOG_MPI_REQUEST_TEST, 0, &request->number);
		mpi_request_put_back(request);
	}
	if (completion->requests != completion->few_requests) {
		free(completion->requests);
		if (completion->owns_statuses)
			free(completion->statuses);
	}
}

/*
 * `known` requests may be complete after the call, and `done` are: the one at `index` by the status
 * at i, for each i. The statuses are in the order of the indices, not of the requests.
 */
#define COMPLETES(call, parameters, arguments, known, ignored, tests, done_count, index_of)        \
	int MPI_##call parameters                                                                  \
	{                                                                                          \
		bool entered = mpi_call_enter(CALL_MPI_##call);                                    \
		struct completion completion;                                                      \
		bool notes = entered && begin(&completion, known, requests, &statuses, ignored);   \
		int result = PMPI_##call arguments;                                                \
		if (notes) {                                                                       \
			int finished = result == MPI_SUCCESS ? (done_count) : 0;                   \
			for (int i = 0; i < finished; i++)                                         \
				finish(&completion, index_of, i);                                  \
			end(&completion, tests);                                                   \
		}                                                                                  \
		mpi_call_leave(CALL_MPI_##call, entered);                                          \
		return result;                                                                     \
	}

#include MPI_WRAPPED_CALLS
