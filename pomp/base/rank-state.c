/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process knows about itself as a rank, and the folders that depend on it. */
#include "rank-state.h"

#include "process-state.h"
#include "shared/trace-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct pomp_rank pomp_rank;

bool pomp_rank_reports_for_all(void)
{
	const struct pomp_ranks *traced = pomp_rank.traced;

	/*
	 * Before MPI_Init no process knows its rank. Whatever concerns all ranks, including their
	 * folder, is reported in MPI_Init.
	 */
	return traced != NULL ? traced->rank == 0 && pomp_rank.folder == NULL
			      : !pomp_rank.announced;
}

char *pomp_rank_own_folder(void)
{
	char *path = NULL;

	return asprintf(&path, "%s/" TRACE_LOG_RANK, pomp_rank.folder, pomp_rank.ranks->number) < 0
		   ? NULL
		   : path;
}

char *pomp_rank_temporary_folder(char *wanted)
{
	char host[256] = "", *part = NULL;

	gethostname(host, sizeof(host) - 1);
	if (asprintf(&part, "%s.%s-%ld", wanted, host, (long)pomp_process.pid) < 0)
		part = NULL;
	free(wanted);
	return part;
}
