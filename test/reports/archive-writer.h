/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes OTF2 archives of OpenMP programs that never ran, the way Score-P writes them, so that
 * every time in them is known. Each thread has its own clock (ticks of one nanosecond); events are
 * written at the thread's current time, which its work advances.
 */
#ifndef ARCHIVE_WRITER_H
#define ARCHIVE_WRITER_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRITER_THREADS 65536 /* at most */
#define WRITER_RANKS   16384 /* of MPI, at most */

enum { CLOCK_START = 1000000 };

/* The parts of constructs, as regions; one row each in archive-writer.c. */
enum region {
	MAIN, /* user region */
	PARALLEL,
	PARALLEL_BARRIER,
	INNER,
	INNER_BARRIER, /* a parallel region within */
	LOOP,
	LOOP_BARRIER,
	LOOP_NOWAIT,
	SINGLE,
	SINGLE_BLOCK,
	SINGLE_BARRIER,
	SECTIONS,
	SECTION,
	SECTIONS_BARRIER,
	CRITICAL,
	CRITICAL_BLOCK,
	ORDERED,
	ORDERED_BLOCK,
	BARRIER,
	MASTER,
	ATOMIC,
	TASK,
	TASK_CREATE,
	TASK_WAIT,
	SET_LOCK,
	UNSET_LOCK,
	MPI_CALL, /* another maker's region */
	REGIONS
};

struct writer {
	OTF2_Archive *archive;
	OTF2_EvtWriter *events[WRITER_THREADS];
	uint64_t now[WRITER_THREADS];
	uint64_t counts[WRITER_THREADS];
	int threads, processes; /* of equal size */
	uint32_t strings;
	OTF2_GlobalDefWriter *definitions;
	const char *source; /* file of all regions */
	const char *program;
	const char *machine;             /* its name; NULL: "machine" */
	const char *second_machine;      /* of every second process; NULL: there is only one */
	uint64_t ticks_per_second;       /* 0: a tick is a nanosecond */
	const char *const *thread_names; /* of the first threads, ends with NULL; or NULL */
	/*
	 * How many of the threads are none: streams of an accelerator, and the last one, which
	 * records metrics. They come first among the definitions.
	 */
	int others;
	bool backwards;   /* definitions come after those that refer to them */
	char *later[200]; /* backwards: the strings, by their reference */
	bool bare;        /* leave out what only viewers need: see define_system() */
	void (*define_more)(struct writer *writer); /* after all definitions, or NULL */
	uint32_t more_loops; /* loops besides, REGIONS and on: "!$omp for @many.c:N", N from 1 */
	const char *more_source; /* their file */
	bool rank_by_rank; /* writer_open_ranks() has opened it; its teams are those of processes */
};

/* Opens the archive FOLDER/traces.otf2 for so many threads; ends the program when it cannot. */
void writer_open(struct writer *writer, const char *folder, int threads);

/*
 * Opens an archive of so many processes of so many threads each, whose events are written process
 * by process, so that those of all of them need not be in memory: writer_begin_rank(), the events
 * of the process's threads, writer_end_rank().
 */
void writer_open_ranks(struct writer *writer, const char *folder, int ranks, int threads);
void writer_begin_rank(struct writer *writer, int rank);
void writer_end_rank(struct writer *writer, int rank);

/*
 * Writes the definitions and closes the archive. Teams are communicators: 0 is all threads, 1 + t
 * the pair of threads t and t + 1. Of three threads and more, one more than that is the pair of 0
 * and 2. Of several processes each has its team, too.
 */
void writer_close(struct writer *writer);

/* All threads of a process, where there are several. */
OTF2_CommRef writer_team(const struct writer *writer, int process);

/* How many communicators teams take: 0 and on. Of groups it is one more. */
OTF2_CommRef writer_comms(const struct writer *writer);

OTF2_StringRef writer_string(struct writer *writer, const char *text);

void writer_work(struct writer *writer, int thread, uint64_t ticks);
void writer_enter(struct writer *writer, int thread, enum region region);
void writer_leave(struct writer *writer, int thread, enum region region);

/* Enter, work, leave. */
void writer_region(struct writer *writer, int thread, enum region region, uint64_t ticks);

/* Threads first .. first + count - 1 enter the barrier and leave it together. */
void writer_barrier(struct writer *writer, int first, int count, enum region region);

/*
 * A parallel region's start: the fork takes `cost` ticks, so that all of its threads begin then;
 * its end: the barrier, the team's end and the join, `cost` later.
 */
void writer_fork(struct writer *writer, int first, int count, OTF2_CommRef team, enum region region,
    uint64_t cost);
void writer_join(struct writer *writer, int first, int count, OTF2_CommRef team, enum region region,
    enum region barrier, uint64_t cost);

/* A critical that the thread gets into at `begin`, or at once when that is past. */
void writer_critical(
    struct writer *writer, int thread, uint64_t begin, uint32_t lock, uint64_t ticks);

void writer_task_create(struct writer *writer, int thread, uint32_t number, uint64_t ticks);
void writer_task_switch(struct writer *writer, int thread, uint32_t number);
void writer_task_complete(struct writer *writer, int thread, uint32_t number);

#endif
