/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements reader-job.h. */
#include "reader-job.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "reader-request.h"

/* Returns false if the archive cannot be read here, which is said. */
static bool do_job(struct message *message)
{
	struct reader_request request = {0};
	char *error = NULL, host[256] = "";
	struct archive *archive;

	reader_request_exchange(message, &request, 0);
	archive = archive_open(request.path, &error);
	if (archive) {
		archive->jobs = request.jobs;
		analysis_free(analysis_run(archive, &request.choice));
	} else {
		gethostname(host, sizeof(host) - 1);
		fprintf(stderr,
		    "ompreport: %s: process %zu of %zu, on %s: %s; all processes have to see the "
		    "archive at the same place; nothing was written\n",
		    request.path, readers_index(), readers_count(), host, error);
	}
	reader_request_free(&request);
	free(error);
	if (!archive)
		return false;
	archive_close(archive);
	return true;
}

int reader_jobs_do(void)
{
	struct message message = {0};
	bool done = true;

	while (done) {
		readers_receive(0, &message);
		if (message.used == 0)
			break;
		readers_depend(true);
		done = do_job(&message);
		readers_depend(!done);
	}
	message_free(&message);
	return done ? 0 : 1;
}
