/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which rank of which MPI job a process is, by the variables that its launcher has put into its
 * environment: those of Open MPI, MVAPICH, PMIx, PMI (MPICH, Intel MPI) and Slurm.
 */
#ifndef RANK_FACTS_H
#define RANK_FACTS_H

#include <sys/types.h>

enum { RANK_JOB_SIZE = 128 };

struct rank_facts {
	long rank; /* -1: it is none */
	long size; /* ranks of the job; -1: not known */
	/*
	 * Equal for the ranks of one job on this machine, other for other jobs: the launcher's own
	 * name for it (PMIx's namespace, Slurm's "job.step"), or else the number of the process
	 * that has launched it; "": it is no rank.
	 */
	char job[RANK_JOB_SIZE];
};

void rank_facts_read(pid_t process, struct rank_facts *facts);

#endif
