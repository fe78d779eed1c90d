/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's part is that of processes. A process that is in MPI outside of parallel regions does
 * nothing else; within them, only the calling thread does nothing else, which is one of the
 * process's threads. The time outside of MPI is therefore an upper bound of the useful time, and
 * the difference between the two is OpenMP's part.
 */
#include <stdlib.h>

#include "efficiency.h"
#include "memory.h"

const struct hybrid_name hybrid_names[HYBRID_FACTORS] = {
    [HYBRID_PARALLEL] = {"parallel", "hybrid parallel", "useful work in the thread time", 0},
    [HYBRID_MPI] = {"mpi", "MPI parallel", "processes outside of MPI", 1},
    [HYBRID_MPI_BALANCE] = {"mpi_load_balance", "load balance",
	"the mean process outside of MPI, to the busiest", 2},
    [HYBRID_MPI_COMMUNICATION] = {"mpi_communication", "communication",
	"the busiest process outside of MPI, to the wall time", 2},
    [HYBRID_MPI_SERIALISATION] = {"mpi_serialisation", "serialisation",
	"what would be left of it if messages took no time: waits", 3},
    [HYBRID_MPI_TRANSFER] = {"mpi_transfer", "transfer",
	"what messages, and all of MPI that is no wait, cost", 3},
    [HYBRID_OPENMP] = {"openmp", "OpenMP parallel", "useful work in the time outside of MPI", 1},
    [HYBRID_OPENMP_BALANCE] = {"openmp_load_balance", "load balance",
	"how threads differ beyond their processes", 2},
    [HYBRID_OPENMP_COMMUNICATION] = {"openmp_communication", "communication",
	"the busiest thread, to the busiest process: serial parts, waits", 2},
};

/* Of one process; in ticks, as a mean over its threads if they differ. */
struct process {
	uint64_t threads;
	double outside, waits; /* time outside of MPI; waits in MPI */
};

static struct process *find_processes(const struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;
	struct process *processes = memory_new(archive->group_count + 1, sizeof(processes[0]));
	double wall = (double)(analysis->last_time - analysis->first_time);

	for (size_t i = 0; i < archive->thread_count; i++)
		processes[analysis_process_of(archive, i)].threads += analysis->threads[i].seen;
	for (size_t i = 0; i <= archive->group_count; i++)
		processes[i].outside = wall;
	for (size_t i = 0; i < archive->thread_count; i++) {
		const struct thread *thread = &analysis->threads[i];
		struct process *process = &processes[analysis_process_of(archive, i)];
		double threads = (double)process->threads;

		process->outside -=
		    (double)(thread->activities[ACTIVITY_MPI] - thread->mpi_in_team);
		if (thread->mpi_in_team > 0)
			process->outside -= (double)thread->mpi_in_team / threads;
		if (analysis->mpi && thread->seen)
			process->waits += (double)analysis->mpi->threads[i].serial_wait +
					  (double)analysis->mpi->threads[i].in_team_wait / threads;
	}
	for (size_t i = 0; i <= archive->group_count; i++) {
		if (processes[i].outside < 0)
			processes[i].outside = 0; /* several threads were in MPI outside of teams */
	}
	return processes;
}

/* The wall time without MPI's transfer, in ticks. */
static double without_transfer(const struct process *process, double wall)
{
	double time = process->outside + process->waits;

	return time < wall ? time : wall;
}

static double over(double part, double whole)
{
	return whole > 0 ? part / whole : -1;
}

static double useful_of(const struct thread *thread)
{
	return (double)(thread->activities[ACTIVITY_SERIAL] + thread->activities[ACTIVITY_WORK] +
			thread->activities[ACTIVITY_TASK]);
}

bool hybrid_compute(const struct analysis *analysis, struct hybrid *hybrid)
{
	const struct archive *archive = analysis->archive;
	double wall = (double)(analysis->last_time - analysis->first_time);
	double outside = 0, outside_max = 0, ideal_max = 0, useful = 0, useful_max = 0;
	struct process *processes = find_processes(analysis);
	double *factors = hybrid->factors;

	*hybrid = (struct hybrid){0};
	for (size_t i = 0; i <= archive->group_count; i++) {
		double ideal = without_transfer(&processes[i], wall);

		if (processes[i].threads == 0)
			continue;
		hybrid->processes++;
		hybrid->threads += processes[i].threads;
		outside += processes[i].outside * (double)processes[i].threads;
		outside_max =
		    processes[i].outside > outside_max ? processes[i].outside : outside_max;
		ideal_max = ideal > ideal_max ? ideal : ideal_max;
	}
	free(processes);
	for (size_t i = 0; i < archive->thread_count; i++) {
		double own = useful_of(&analysis->threads[i]);

		useful += own;
		useful_max = own > useful_max ? own : useful_max;
	}
	hybrid->useful = (uint64_t)useful;
	if (hybrid->processes < 2 || wall <= 0 || outside_max <= 0 || useful_max <= 0)
		return false;
	factors[HYBRID_PARALLEL] = useful / (wall * (double)hybrid->threads);
	factors[HYBRID_MPI] = outside / (wall * (double)hybrid->threads);
	factors[HYBRID_MPI_BALANCE] = outside / (outside_max * (double)hybrid->threads);
	factors[HYBRID_MPI_COMMUNICATION] = outside_max / wall;
	factors[HYBRID_MPI_SERIALISATION] = factors[HYBRID_MPI_TRANSFER] = -1;
	if (analysis->mpi && analysis->mpi->knows_waits) {
		factors[HYBRID_MPI_SERIALISATION] = outside_max / ideal_max;
		factors[HYBRID_MPI_TRANSFER] = ideal_max / wall;
	}
	factors[HYBRID_OPENMP] = over(factors[HYBRID_PARALLEL], factors[HYBRID_MPI]);
	factors[HYBRID_OPENMP_BALANCE] =
	    over(useful / (useful_max * (double)hybrid->threads), factors[HYBRID_MPI_BALANCE]);
	factors[HYBRID_OPENMP_COMMUNICATION] =
	    over(useful_max / wall, factors[HYBRID_MPI_COMMUNICATION]);
	return true;
}
