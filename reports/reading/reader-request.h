/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What process 0 of a report asks the others for (readers.h): to open an archive and to do the same
 * with it, each for its part. A request begins with its kind, the archive's path, and how many
 * threads read it.
 */
#ifndef READER_REQUEST_H
#define READER_REQUEST_H

#include "analysis.h"
#include "reader-kind.h"
#include "readers.h"

/* For an analysis. */
struct reader_request {
	char *path;  /* of the archive */
	size_t jobs; /* threads that read it, or 0 */
	struct analysis_choice choice;
};

/* Writes a request about an archive of so many threads, or reads it; the reader frees its parts. */
void reader_request_exchange(
    struct message *message, struct reader_request *request, size_t thread_count);
void reader_request_free(struct reader_request *request);

/*
 * In process 0: asks the others, if there are others, and depends on them until they have sent all.
 */
void reader_request_send(const struct analysis *analysis);

/* In process 0: begins a request about the archive. */
void reader_request_begin(
    struct message *message, enum reader_kind kind, const struct archive *archive);

#endif
