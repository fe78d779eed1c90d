/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements reader-request.h. */
#include "reader-request.h"

#include <stdlib.h>

/* The choice's pointers are those of process 0; its arrays follow. */
void reader_request_exchange(
    struct message *message, struct reader_request *request, size_t thread_count)
{
	struct analysis_choice *choice = &request->choice;
	bool has_threads = choice->threads;
	size_t rows = choice->timeline.rows;

	message_text(message, &request->path);
	MESSAGE_FIELD(message, request->jobs);
	MESSAGE_FIELD(message, has_threads);
	message_bytes(message, choice, sizeof(*choice));
	if (!has_threads)
		thread_count = 0;
	choice->threads = message_array(
	    message, (bool *)choice->threads, &thread_count, sizeof(choice->threads[0]));
	choice->timeline.row_begins = message_array(message, (size_t *)choice->timeline.row_begins,
	    &rows, sizeof(choice->timeline.row_begins[0]));
}

void reader_request_free(struct reader_request *request)
{
	free(request->path);
	free((bool *)request->choice.threads);
	free((size_t *)request->choice.timeline.row_begins);
}

void reader_request_send(const struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	struct reader_request request = {archive->path, archive->jobs, *analysis->choice};
	struct message message = {0};
	enum reader_kind kind = READER_ANALYSIS;

	if (readers_count() == 1)
		return;
	readers_depend(true);
	MESSAGE_FIELD(&message, kind);
	reader_request_exchange(&message, &request, archive->thread_count);
	for (size_t i = 1; i < readers_count(); i++)
		readers_send(i, &message);
	message_free(&message);
}

void reader_request_begin(
    struct message *message, enum reader_kind kind, const struct archive *archive)
{
	char *path = archive->path;
	size_t jobs = archive->jobs;

	MESSAGE_FIELD(message, kind);
	message_text(message, &path);
	MESSAGE_FIELD(message, jobs);
}
