/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a process that reads for process 0 of a report (readers.h). A request begins with
 * what is to be done, the archive's path, and how many threads read it.
 */
#ifndef READER_JOB_H
#define READER_JOB_H

#include "archive.h"
#include "readers.h"

/* What process 0 can ask for. */
enum reader_kind {
	READER_ANALYSIS, /* reader-request.h */
	READER_CALL_SUMS,
	READER_EVENT_COUNTS,
	READER_REGION_TIMES,
	READER_SAMPLES,
	READER_KINDS
};

struct gathering;

/*
 * Does what process 0 asks for until it ends; gathered: by kind, but for READER_ANALYSIS. Returns
 * the exit status.
 */
int reader_jobs_do(const struct gathering *const *gathered);

/* In process 0: begins a request about the archive. */
void reader_job_begin(
    struct message *message, enum reader_kind kind, const struct archive *archive);

#endif
