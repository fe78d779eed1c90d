/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a process that reads for process 0 of a report (readers.h). */
#ifndef READER_JOB_H
#define READER_JOB_H

struct gathering;

/*
 * Does what process 0 asks for until it ends; gathered: by kind, but for READER_ANALYSIS. Returns
 * the exit status.
 */
int reader_jobs_do(const struct gathering *const *gathered);

#endif
