/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OpenMP program that runs, looked at from outside again and again: its threads, and over an
 * interval its regions, locks and queued tasks. Reads may find records in the middle of a change: a
 * thread whose record makes no sense is left out of that look, and a look at whose list makes no
 * sense is repeated a few times.
 */
#ifndef SAMPLED_PROGRAM_H
#define SAMPLED_PROGRAM_H

#include "code-lookup.h"
#include "debugger-library.h"
#include "loaded-modules.h"
#include "measured-interval.h"
#include "process-facts.h"
#include "sampled-lines.h"
#include "shared/hash-map.h"
#include "thread-sample.h"

enum program_kind {
	PROGRAM_READABLE, /* it runs on our runtime */
	PROGRAM_FOREIGN,  /* on another one */
	PROGRAM_VERSION,  /* on ours of another version */
	PROGRAM_PLAIN,    /* on none, or it has not loaded it yet */
	PROGRAM_CLOSED,   /* it may not be read */
};

/* A parallel region's construct, by its outlined function. */
struct region_sample {
	uint64_t function; /* 0: outside of parallel regions */
	struct looked current;
	struct shares interval, whole;
	uint32_t threads;      /* in it at the last look */
	uint32_t most_threads; /* at any look of the interval; current until its end */
	uint32_t most_now;
};

/* Something for which threads wait one after the other, at the last look of the interval. */
struct lock_sample {
	uint64_t object;
	uint32_t state; /* ompt_state_t of the waits */
	uint32_t waiters;
	pid_t holder; /* 0: unknown */
};

/* A region's function or a lock, as people know it. */
struct known_name {
	uint64_t address;
	char *text; /* NULL: unknown */
};

/* What all programs are looked at with. */
struct program_readers {
	struct debugger_library debugger;
	struct code_lookup names;
	struct profile_library profiles; /* not loaded: programs show no profile */
};

struct program {
	struct process_facts facts;
	enum program_kind kind;
	char *note;       /* one sentence about why it cannot be read, or NULL */
	unsigned job;     /* of a rank: the number of its job in the list, from 1 */
	bool is_measured; /* libpomp is loaded */
	bool has_ended;
	struct loaded_modules modules;
	uint64_t checked_at; /* when the kind was found */
	struct program_readers *readers;
	const struct debugger_library *library; /* of the readers */
	struct debugger_target target;
	ompd_address_space_handle_t *space;
	ompdx_thread_t *records;
	size_t record_room;

	struct thread_sample *threads;
	size_t thread_count, thread_room;
	struct region_sample *regions;
	size_t region_count, region_room;
	struct measured_interval measured; /* what libpomp has measured */
	struct sampled_lines lines;        /* where it has sampled threads */
	struct lock_sample *locks;
	size_t lock_count, lock_room;

	struct known_name *names;
	size_t name_count, name_room;

	/* Of the last interval; `whole` is since it is looked at. */
	struct shares interval, whole;
	uint64_t begun_at, ended_at; /* CLOCK_MONOTONIC */
	bool knows_tasks;
	uint64_t ready_tasks, blocked_tasks;
	uint32_t looks, failed_looks; /* of the interval */
	uint32_t current_looks, current_failed, failed_in_row;
};

/*
 * Finds out what a process is. `program` keeps its address until program_close(). False: there is
 * no such process, or no memory.
 */
bool program_open(struct program *program, struct program_readers *readers, pid_t process);

/* Finds out anew what the process is: it may have loaded a runtime, or become another program. */
void program_check(struct program *program);

/* One look; sets has_ended. */
void program_look(struct program *program);

/* Ends the interval, and reads what is read once in one: locks and tasks. */
void program_end_interval(struct program *program);

void program_close(struct program *program);

/* The name of a region's function or of a lock, or NULL. */
const char *program_name(const struct program *program, uint64_t address);

/* How many threads have waited unchanged for so many ns. */
uint32_t program_stuck(const struct program *program, uint64_t least);

#endif
