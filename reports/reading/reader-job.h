/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a process that reads for process 0 of a report (readers.h). */
#ifndef READER_JOB_H
#define READER_JOB_H

/* Does what process 0 asks for (reader-request.h), until it ends. Returns the exit status. */
int reader_jobs_do(void);

#endif
