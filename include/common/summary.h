/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers of a profile and the functions that print them. libpomp fills in a summary at exit
 * from its accumulators, and ompreport fills one in from a trace; the same code prints both, so
 * they agree.
 *
 * Times are nanoseconds, counts are 64-bit. A value that was not measured is SUMMARY_NOT_MEASURED
 * and prints as "n/a". Whoever fills in the summary owns all memory; the printer neither keeps nor
 * changes anything.
 */
#ifndef COMMON_SUMMARY_H
#define COMMON_SUMMARY_H

#include "shared/sample-counters.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SUMMARY_NOT_MEASURED UINT64_MAX

/* How a region was identified. */
enum summary_code {
	SUMMARY_INSTRUMENTED, /* by the calls that ompinst put there */
	SUMMARY_CODE,         /* by the address of its code, as the OpenMP runtime reported it */
	SUMMARY_CODE_GNU,     /* the same for GCC's code, which does not show its static loops */
};

/* One construct or user region; per-thread values cover the threads that visited it. */
struct summary_region {
	const char *name; /* from the list of constructs, or another name: "for", "region", ... */
	const char *sub_name; /* critical's or user region's name, or "" */
	const char *file;     /* identified by its code and without lines: "libfoo.so+0x1234" */
	int begin_line, end_line;
	uint64_t visits;  /* summed over threads */
	uint64_t time;    /* inclusive, summed over threads */
	uint64_t self;    /* exclusive of nested regions and waits, summed over threads */
	uint64_t threads; /* how many threads visited it */
	/* Per thread: time in the body, without waits and MPI in it. */
	uint64_t body_min, body_sum, body_max;
	uint64_t
	    barrier_wait; /* its implicit (or, for "barrier", own) barrier, summed over threads */
	uint64_t enter_wait; /* critical, ordered, lock: from enter to begin, summed */
	uint64_t imbalance;  /* sum over executions of (slowest - mean) x threads; potential gain */
	const uint64_t *metrics; /* one inclusive value for each of the summary's metrics, summed
				    over threads; NULL: none */
	enum summary_code code;
	const char *function; /* for a region identified by its code; "" or NULL: unknown */
	/*
	 * What the kernel counted outside of regions and waits in it, summed over threads. `self`
	 * and the body contain no time of the first two.
	 */
	uint64_t delayed;      /* ready to work, without a processor */
	uint64_t blocked;      /* in a system call, outside of OpenMP's waits */
	uint64_t system;       /* ran in the kernel */
	uint64_t faults;       /* page faults */
	uint64_t wait_delayed; /* part of barrier_wait: the waiting thread had no processor */
	uint64_t number; /* which one it is in its process, whatever it is called; 0: unknown */
};

/* A counter that was read at the construct's boundaries, or that should have been. */
struct summary_metric {
	const char *name, *unit; /* unit: "#" for counts, "ns" for times */
};
struct summary_dropped {
	const char *name, *reason;
};

/*
 * One lock variable or one critical (named or unnamed). An acquisition is contended when another
 * thread held the lock after this one had asked for it: when the previous release came later.
 */
struct summary_lock {
	const char *name; /* "critical(name) file:line" or "lock 0x..." */
	uint64_t acquisitions, contended, wait, hold;
	uint64_t number; /* which one it is in its process; 0: unknown */
};

/* The tasks of one task construct. */
struct summary_task {
	const char *file;
	int begin_line;
	uint64_t created, executed, undeferred;
	uint64_t create_time, execute_time; /* summed over threads, suspension not counted */
	uint64_t execute_max;               /* the longest of them */
	uint64_t number;                    /* which one it is in its process; 0: unknown */
};

/* A place in the code where threads spent processor time, by samples. */
struct summary_hot {
	const char *function; /* NULL: unknown */
	const char
	    *file; /* NULL: unknown; else the source file, or "libfoo.so+0x1234" without line */
	int line;  /* 0: unknown */
	uint64_t samples;
	uint64_t waits;                         /* the part in OpenMP's waits */
	uint64_t faults;                        /* the part that interrupted a page fault */
	uint64_t counted[SAMPLE_COUNTER_COUNT]; /* of the summary's counters, at samples */
	/* The construct in which most of the samples were; NULL: outside of all, or in an event. */
	const char *construct, *construct_file;
	int construct_line;
};

/*
 * A call path by samples: "main > read_input > parse". In a parallel region it begins where the
 * team was forked, on each of its threads: "main > solve > parallel for at solver.c:12 > kernel".
 * "..." is where a part is not known.
 */
struct summary_path {
	const char *path;
	uint64_t samples;
	uint64_t faults; /* the part that interrupted a page fault */
};

/*
 * A short function of a header, which the program's own line calls: what is done there is named by
 * that line, and this one is added.
 */
struct summary_wrapper {
	const char *file; /* NULL: there is none, or several */
	int line;
};

/* Samples that are about memory, at the program's own line. */
enum summary_memory_change {
	SUMMARY_FAULTED,   /* they interrupted a page fault */
	SUMMARY_ALLOCATED, /* the kernel was to give memory */
	SUMMARY_RELEASED,  /* the kernel was to take memory back */
};
struct summary_memory {
	enum summary_memory_change change;
	int by_allocator; /* of the two latter: the C library's malloc() or free() did it */
	const char *function, *file; /* as in struct summary_hot */
	int line;
	uint64_t samples;
	struct summary_wrapper by;
};

/*
 * Time in which threads were blocked in the kernel, by system call and place. How long a
 * construct's threads were blocked is measured; how much of it belongs to which call, by how often
 * they were seen there.
 */
struct summary_blocked {
	const char *call; /* "read"; NULL: nothing was seen, the calls were too few and short */
	const char
	    *what; /* what the call is there for: "a pthread mutex"; NULL: no more is known */
	/* The program's own call, as in struct summary_hot. */
	const char *function, *file;
	int line;
	const char *construct, *construct_file; /* NULL: outside of all */
	int construct_line;
	uint64_t time;
	uint64_t seen; /* how often */
	int is_serial; /* by threads in no team */
	struct summary_wrapper by;
};

/* A line of Python from which a parallel region was called, of the user's own code. */
struct summary_caller {
	const char *construct, *construct_file, *construct_function; /* the region, as its row */
	int construct_line;
	int is_code; /* the region is identified by its code */
	const char *function, *file;
	int line; /* 0: unknown */
	/* The innermost line of Python, in whatever library it is: it may be the same. */
	const char *inner_function, *inner_file;
	int inner_line;
	uint64_t calls; /* teams that were forked from there */
	uint64_t time;  /* of the threads that forked them, from fork to join */
};

/* What ranks waited for most: a function of MPI, and the rank that the others waited for there. */
struct summary_rank_wait {
	const char *call;   /* "MPI_Recv"; NULL: ranks did not wait, or it was not measured */
	const char *reason; /* "late sender" */
	uint64_t late;      /* the awaited rank; SUMMARY_NOT_MEASURED: unknown */
	uint64_t time;      /* waits in the function for this reason, all ranks */
};

/* A change that advice proposes, to a region, a lock or a task construct. */
enum summary_change {
	SUMMARY_EVEN_WORK,    /* region: its threads get equal work */
	SUMMARY_FREE_ENTRY,   /* region: no thread waits for the critical */
	SUMMARY_FREE_LOCK,    /* lock: no thread waits for it */
	SUMMARY_LARGER_TASKS, /* task: merge tasks until each is worth its creation */
};

/* A setting that `ompinst tune` has compared with the unchanged program. */
struct summary_tried {
	const char *setting; /* "malloc maps from 32M, keeps 1G" */
	const char *file;    /* the loop whose schedule it is; NULL: another setting */
	int line;
	const char *schedule;   /* "dynamic,4" */
	double gain, low, high; /* how many times faster, and its interval; low 0: not known */
	size_t pairs;           /* of runs */
};

struct summary_proposal {
	enum summary_change change;
	const struct summary_region *region;
	const struct summary_lock *lock;
	const struct summary_task *task;
};

/*
 * How many times faster the run would be: the estimate, and the bounds that hold in nine of ten
 * cases. If the change divides work whose parts no event shows, `speedup` is only the limit, which
 * the run reaches if that work can be divided anywhere.
 */
struct summary_expected {
	double speedup, low, high;
	int is_limit;
};

/* Returns 0 if the result is known. */
typedef int summary_expect(
    void *context, const struct summary_proposal *proposal, struct summary_expected *expected);

struct summary {
	const char *program; /* argv[0] or NULL */
	uint64_t wall;       /* from start of measurement to its end */
	uint64_t threads;    /* T: most threads that ever ran at once in one team */
	uint64_t locations;  /* threads seen in all */
	uint64_t processes; /* 0 and 1 mean one. With several, T is the sum of their teams' sizes; P
			       and the imbalance are those of a mean process */
	uint64_t processors; /* processors that the process could use; 0: unknown */
	uint64_t parallel;   /* P: the initial thread's time inside parallel regions */
	uint64_t roots;      /* threads that forked outermost parallel regions; 0: unknown */
	uint64_t useful;     /* all threads: time in parallel regions, without waits and MPI */
	uint64_t sync;       /* all threads: time in barriers, lock, critical, task waits */
	uint64_t management; /* all threads: fork to begin, end to join */
	uint64_t imbalance;  /* sum over parallel region executions of (max - mean) useful */
	uint64_t mpi_calls; /* of functions of MPI; if there are none, the MPI values below are 0 */
	uint64_t mpi_serial; /* in MPI, the initial thread of each process, outside regions */
	uint64_t mpi_team;   /* the same for all threads, in parallel regions */
	uint64_t mpi_held;   /* part of sync: a thread's waits, at most as long as another thread of
				its outermost team was in MPI and it was not */
	uint64_t mpi_wait;   /* part of both: waits for other ranks, if mpi_waits_known */
	int mpi_waits_known;
	/* What the kernel counted: as for a region, in parallel regions (all threads) ... */
	uint64_t delayed, blocked;
	/* ... and outside of them (the initial thread of each process). */
	uint64_t serial_delayed, serial_blocked;
	uint64_t wait_delayed;   /* part of sync: threads without a processor in their waits */
	uint64_t late_delayed;   /* idle threads without a processor, when a team needed them */
	uint64_t processor_time; /* of all threads, while measuring was on ... */
	uint64_t system;         /* ... the part in the kernel */
	uint64_t faults;         /* page faults of all threads meanwhile */
	uint64_t fault_cost;     /* what one takes on this machine, at least */
	int usage_refused; /* the kernel refused to say some of it, so that none is measured */
	/*
	 * What keeps processors from the process. The first is in thousandths of a processor, 0:
	 * none. The others are of more than the process: its control group's, and the machine's.
	 * idle: nobody wanted a processor.
	 */
	uint64_t quota, throttled, stolen, idle;
	uint64_t online; /* processors of the machine; 0: unknown */
	uint64_t bound;  /* those on which the threads could run by their own places; 0: unknown */
	uint64_t events; /* all threads; as many as a trace of the run contains */
	uint64_t lost_events;     /* all threads */
	uint64_t untraced_events; /* part of these: missing only from the trace */
	int from_trace;           /* the figures come from a trace and lack these events */
	uint64_t event_cost;      /* estimated overhead of measuring, all threads, ns */
	const struct summary_region *regions;
	size_t region_count;
	const struct summary_lock *locks;
	size_t lock_count;
	const struct summary_task *tasks;
	size_t task_count;
	const struct summary_hot *hot; /* most samples first */
	size_t hot_count;
	const struct summary_path *team_paths; /* in parallel regions: the same */
	size_t team_path_count;
	const struct summary_path *serial_paths; /* outside of them */
	size_t serial_path_count;
	const struct summary_memory *memory; /* most samples first */
	size_t memory_count;
	const struct summary_blocked *blocked_calls; /* longest first */
	size_t blocked_call_count;
	const struct summary_caller *callers; /* longest first */
	size_t caller_count;
	uint64_t samples;         /* of all places; 0: none were taken */
	uint64_t lost_samples;    /* part of it: their places are not known */
	const char *sample_note;  /* what is missing, and why; NULL: nothing */
	uint64_t sample_counters; /* the set that was measured: shared/sample-counters.h */
	const struct summary_metric *metrics;
	size_t metric_count;
	const struct summary_dropped *dropped; /* metrics that could not be measured */
	size_t dropped_count;
	struct summary_rank_wait rank_wait;
	int is_part; /* part of the run, or of its regions, was chosen: what is missing here may be
			elsewhere */
	/*
	 * The chosen threads and regions, "--thread=1": the tables and the advice cover only these;
	 * all other figures cover all threads and regions. NULL: everything was chosen.
	 */
	const char *chosen;
	uint64_t chosen_threads; /* of `locations`, if threads were chosen; else 0 */
	/* Estimates what a change that advice proposes would bring; NULL: unknown. */
	summary_expect *expect;
	void *expect_context;
	const struct summary_tried *tried; /* what was tried, or NULL */
	size_t tried_count;
	const char *trace_path; /* folder of the archive just written, or NULL */
	/*
	 * Of a snapshot: when its run began to be measured, ns since 1970, which no other run has
	 * in common with it; 0: it is none. And whether it is what was counted since an earlier
	 * one.
	 */
	uint64_t began;
	int is_interval;
	const char *note; /* why there is nothing to show, or NULL */
};

enum summary_format { SUMMARY_TEXT, SUMMARY_JSON, SUMMARY_CSV, SUMMARY_OPENMETRICS };

/* Rows for one screen: 15 regions, 8 locks, 8 task constructs, 6 callers at most, and 60 lines in
 * all. */
#define SUMMARY_ROWS_SCREEN SIZE_MAX

/* On a screen, fewer samples have no tables: they say little about where time goes. */
#define SUMMARY_SAMPLES_SCREEN 50

/* Follows constructs whose static loops GCC's code does not show; and the note that explains it. */
#define SUMMARY_MARK "*"
#define SUMMARY_MARK_NOTE                                                                          \
	"static loops inside are not visible in GCC's code; recompile with ompinst to see them"

/* If the kernel refused its figures. */
#define SUMMARY_REFUSED_NOTE                                                                       \
	"not known: how long threads waited for processors or were blocked, and their page "       \
	"faults; the kernel refused to say (seccomp)"

/* Format with a count and " has" or "s have". */
#define SUMMARY_UNNAMED_NOTE                                                                       \
	"%zu region%s no lines: no debug information with lines of them was found; "               \
	"`ompreport symbols` looks again, in a trace, when more is installed"

/*
 * Prints the summary. `columns` is the widest line of the text form (at least 60). max_rows limits
 * the rows of each table (0: all); a last line counts the rest. Regions are ordered by potential
 * gain, locks by wait, task constructs by the time for creating and executing. Returns 0, or -1
 * when the stream reported a write error. Safe to call at exit: uses stdio on the given stream
 * only.
 */
int summary_print(FILE *out, const struct summary *summary, enum summary_format format, int columns,
    size_t max_rows);

#endif
