/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport: reports about OTF2 archives of OpenMP programs, the library of ompreport.h with a
 * command line. Several of it that mpirun has started make one report together. Exit status: 0 for
 * success, 1 if a report could not be made, 2 for a wrong command line.
 */
#include "ompreport.h"

#include "call-sums.h"
#include "event-counts.h"
#include "gathered.h"
#include "reader-job.h"
#include "readers.h"

/* What the other processes of a report can gather. */
static const struct gathering *const gathered[READER_KINDS] = {
    [READER_CALL_SUMS] = &gathered_call_sums,
    [READER_EVENT_COUNTS] = &gathered_event_counts,
    [READER_REGION_TIMES] = &gathered_region_times,
    [READER_SAMPLES] = &gathered_samples,
};

int main(int argc, char **argv)
{
	(void)argc;
	if (!readers_join())
		return 0;
	if (readers_index() > 0)
		return reader_jobs_do(gathered);
	return ompreport_run((const char *const *)argv + 1, stdout, stderr);
}
