/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements reader-job.h. */
#include "reader-job.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gathering.h"
#include "reader-request.h"

/* NULL if the archive cannot be read here, which is said. */
static struct archive *open_archive(const char *path, size_t jobs)
{
	char *error = NULL, host[256] = "";
	struct archive *archive = archive_open(path, &error);

	if (archive) {
		archive->jobs = jobs;
	} else {
		gethostname(host, sizeof(host) - 1);
		fprintf(stderr,
		    "ompreport: %s: process %zu of %zu, on %s: %s; all processes have to see the "
		    "archive at the same place; nothing was written\n",
		    path, readers_index(), readers_count(), host, error);
	}
	free(error);
	return archive;
}

static void do_analysis(struct archive *archive, const struct reader_request *request)
{
	analysis_free(analysis_run(archive, &request->choice));
}

/* Returns false if the archive cannot be read here. */
static bool do_job(struct message *message, const struct gathering *const *gathered)
{
	struct reader_request request = {0};
	enum reader_kind kind = READER_ANALYSIS;
	struct archive *archive;

	MESSAGE_FIELD(message, kind);
	if (kind == READER_ANALYSIS) {
		reader_request_exchange(message, &request, 0);
	} else {
		message_text(message, &request.path);
		MESSAGE_FIELD(message, request.jobs);
	}
	archive = open_archive(request.path, request.jobs);
	if (archive && kind == READER_ANALYSIS)
		do_analysis(archive, &request);
	else if (archive)
		gathering_serve(gathered[kind], archive, message);
	reader_request_free(&request);
	if (!archive)
		return false;
	archive_close(archive);
	return true;
}

int reader_jobs_do(const struct gathering *const *gathered)
{
	struct message message = {0};
	bool done = true;

	while (done) {
		readers_receive(0, &message);
		if (message.used == 0)
			break;
		readers_depend(true);
		done = do_job(&message, gathered);
		readers_depend(!done);
	}
	message_free(&message);
	return done ? 0 : 1;
}
