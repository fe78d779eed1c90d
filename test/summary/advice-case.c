/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice must follow from the figures. Each row plants figures, with what the advice must say of
 * them and what it must not: for every sentence one row with the evidence for it and one where it
 * would be false. Four threads on four processors, one second, in parallel regions throughout,
 * where a row does not say otherwise. With --print it prints the advice on each row.
 */
#include <stdio.h>
#include <string.h>

#include "common/summary-figures.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define NA SUMMARY_NOT_MEASURED

/* name, sub-name, visits, barrier wait, wait to enter, imbalance */
#define REGION(name, sub_name, visits, barrier, enter, imbalance)                                  \
	{                                                                                          \
		name, sub_name, "/src/a.c", 7, 9, visits, 3600 * MS, 0, 4, 900 * MS, 3600 * MS,    \
		    900 * MS, barrier, enter, imbalance                                            \
	}
/* name, line, self, body of the thread with most, of all */
#define PLACED(name, line, threads, self, most, sum)                                               \
	{                                                                                          \
		name, "", "/src/a.c", line, line, 40, sum, self, threads, 0, sum, most, NA, NA, NA \
	}
/* lines, wait at its barrier */
#define PARALLEL_AT(from, to, barrier)                                                             \
	{                                                                                          \
		"parallel", "", "/src/a.c", from, to, 4, 3600 * MS, 0, 4, 900 * MS, 3600 * MS,     \
		    900 * MS, barrier, NA, 0                                                       \
	}
/* A region outside of whose constructs threads sleep, and a barrier in it. */
#define PARALLEL_ASLEEP(time)                                                                      \
	{                                                                                          \
		.name = "parallel", .sub_name = "", .file = "/src/a.c", .begin_line = 5,           \
		.end_line = 20, .visits = 4, .threads = 4, .barrier_wait = 0, .enter_wait = NA,    \
		.imbalance = 0, .blocked = (time)                                                  \
	}
#define PLACED_BARRIER(line, wait)                                                                 \
	{                                                                                          \
		.name = "barrier", .sub_name = "", .file = "/src/a.c", .begin_line = (line),       \
		.end_line = (line), .visits = 40, .threads = 4, .body_min = NA, .body_sum = NA,    \
		.body_max = NA, .barrier_wait = (wait), .enter_wait = NA, .imbalance = NA          \
	}
/* A loop at whose end threads wait for so long, and for so long of it without a processor. */
#define LOOP_DELAYED(wait, imbal, without)                                                         \
	{                                                                                          \
		.name = "for", .sub_name = "", .file = "/src/a.c", .begin_line = 7, .end_line = 9, \
		.visits = 40, .threads = 4, .barrier_wait = (wait), .enter_wait = NA,              \
		.imbalance = (imbal), .wait_delayed = (without)                                    \
	}
/* A loop without a barrier in which threads had no processor. */
#define LOOP_OPEN(without)                                                                         \
	{                                                                                          \
		.name = "for", .sub_name = "", .file = "/src/a.c", .begin_line = 7, .end_line = 7, \
		.visits = 40, .threads = 4, .barrier_wait = NA, .enter_wait = NA, .imbalance = 0,  \
		.delayed = (without)                                                               \
	}
/* A single that its block's own code takes so long of. */
#define SINGLE(self, barrier, imbalance)                                                           \
	{                                                                                          \
		"single", "", "/src/a.c", 7, 9, 4, 3600 * MS, self, 4, 0, 900 * MS, 900 * MS,      \
		    barrier, NA, imbalance                                                         \
	}
#define PARALLEL(visits, barrier, imbalance) REGION("parallel", "", visits, barrier, NA, imbalance)

enum { PLACES = 4 };

/* What blocked threads, for 500 ms, outside of teams or in them. */
#define CALL(call, what, is_serial)                                                                \
	{                                                                                          \
		call, what, "pause", "/src/b.c", 40, is_serial ? NULL : "for",                     \
		    is_serial ? NULL : "/src/a.c", is_serial ? 0 : 7, 500 * MS, 20, is_serial      \
	}
static const struct summary_blocked reads[] = {CALL("read", NULL, 1)},
				    sleeps[] = {CALL("clock_nanosleep", "sleep", 0)},
				    mutexes[] = {CALL("futex", "a pthread mutex", 1)},
				    mutexes_in_teams[] = {CALL("futex", "a pthread mutex", 0)},
				    unseen[] = {CALL(NULL, NULL, 1)};

/* Samples about memory: where it is used first, and from where to where it lives. */
#define USE(change, by_allocator, line, samples)                                                   \
	{                                                                                          \
		change, by_allocator, "step", "/src/b.c", line, samples                            \
	}
static const struct summary_memory churned[] = {USE(SUMMARY_FAULTED, 0, 20, 60),
    USE(SUMMARY_RELEASED, 1, 24, 20), USE(SUMMARY_FAULTED, 0, 30, 10),
    USE(SUMMARY_ALLOCATED, 1, 16, 1)},
				   mapped[] = {USE(SUMMARY_FAULTED, 0, 20, 30),
				       USE(SUMMARY_FAULTED, 0, 21, 30),
				       USE(SUMMARY_RELEASED, 0, 24, 10),
				       USE(SUMMARY_RELEASED, 0, 25, 10)},
				   first_used[] = {USE(SUMMARY_FAULTED, 0, 20, 60)},
				   few[] = {USE(SUMMARY_FAULTED, 0, 20, 9)};
/* Half of the processor time in the kernel, by 200,000 faults; of 200 samples. */
#define FAULTS(rows, cost)                                                                         \
	{                                                                                          \
		.processor_time = 4000 * MS, .system = 2000 * MS, .faults = 200000,                \
		.fault_cost = cost, .samples = 200, .memory = rows,                                \
		.memory_count = sizeof(rows) / sizeof((rows)[0])                                   \
	}

static const struct plant {
	const char *what;
	struct summary_region regions[PLACES]; /* none: one parallel region without losses */
	struct summary_lock lock;
	struct summary_task task;
	struct summary totals;
	const char *given, *not_given; /* NULL: any */
} plants[] = {
    {"unequal iterations", {REGION("for", "", 40, 800 * MS, NA, 800 * MS)}, {0}, {0},
	{.sync = 800 * MS},
	"unequal time: if many iterations make the difference, and neither their order nor their placement "
	"matters, try schedule(dynamic)",
	"work: if"},
    {"equal iterations, late threads", {REGION("for", "", 40, 800 * MS, NA, 20 * MS)}, {0}, {0},
	{.sync = 800 * MS},
	"its threads take equal time: the wait comes from those that began it late", "schedule"},
    {"a combined loop, whose barrier is the region's",
	{REGION("for", "", 40, NA, NA, 800 * MS), PARALLEL(40, 800 * MS, 800 * MS)}, {0}, {0},
	{.sync = 800 * MS}, "a.c:7 for: threads lose 800ms", NULL},
    {"unequal loops that threads spent on tasks", {REGION("for", "", 40, NA, NA, 800 * MS)}, {0},
	{0}, {.sync = 1 * MS}, "No single loss", "schedule"},
    {"unequal work of a region that waits for a lock", {PARALLEL(4, NA, 800 * MS)},
	{"lock 0x1", 1000, 500, 800 * MS, 900 * MS}, {0}, {.sync = 800 * MS}, "lock 0x1",
	"unequal"},
    {"unequal work of a region that waits for tasks",
	{PARALLEL(4, NA, 800 * MS), REGION("taskwait", "", 40, 790 * MS, NA, NA)}, {0}, {0},
	{.sync = 800 * MS}, "tasks that have not ended", "unequal"},
    {"short barriers of a loop", {REGION("for", "", 400000, 800 * MS, NA, 20 * MS)}, {0}, {0},
	{.sync = 800 * MS}, "each time is short, but there are many", "evenly"},
    {"a single that others wait for", {REGION("single", "", 40, 900 * MS, NA, 900 * MS)}, {0}, {0},
	{.sync = 900 * MS}, "one thread works while the others wait", NULL},
    {"a single whose tasks the others execute", {REGION("single", "", 40, 2 * MS, NA, 900 * MS)},
	{0}, {0}, {.sync = 2 * MS}, "No single loss", "one thread works"},
    {"a single behind its longest task",
	{SINGLE(9 * MS, 800 * MS, 900 * MS), PARALLEL_AT(5, 20, 0)}, {0},
	{"/src/a.c", 8, 20, 20, 0, 1 * MS, 600 * MS, 290 * MS}, {.sync = 800 * MS},
	"a.c:7 single: threads lose 800ms there (20.0% of the thread time); tasks are executed in the same parallel "
	"region, and the longest a.c:8 task takes 290ms, 30.0ms on average",
	"parallel, or"},
    {"a single that works, beside tasks",
	{SINGLE(300 * MS, 800 * MS, 900 * MS), PARALLEL_AT(5, 20, 0)}, {0},
	{"/src/a.c", 8, 20, 20, 0, 1 * MS, 600 * MS, 290 * MS}, {.sync = 800 * MS},
	"one thread works while the others wait", "longest"},
    {"a single beside short tasks", {SINGLE(9 * MS, 800 * MS, 900 * MS), PARALLEL_AT(5, 20, 0)},
	{0}, {"/src/a.c", 8, 20, 20, 0, 1 * MS, 600 * MS, 31 * MS}, {.sync = 800 * MS},
	"one thread executes it, and tasks are executed in the same parallel region",
	"parallel, or"},
    {"a single beside tasks of another region",
	{SINGLE(9 * MS, 800 * MS, 900 * MS), PARALLEL_AT(5, 20, 0), PARALLEL_AT(50, 60, 0)}, {0},
	{"/src/a.c", 55, 20, 20, 0, 1 * MS, 600 * MS, 290 * MS}, {.sync = 800 * MS},
	"one thread works while the others wait", "task"},
    {"a single that creates small tasks",
	{SINGLE(9 * MS, 800 * MS, 900 * MS), PARALLEL_AT(5, 20, 0)}, {0},
	{"/src/a.c", 8, 1000000, 1000000, 0, 400 * MS, 900 * MS, 1 * MS}, {.sync = 800 * MS},
	"tasks of the same parallel region are small: a a.c:8 task runs 900ns on average and takes 400ns to create; "
	"make them larger",
	"but takes"},
    {"a single nowait", {REGION("single", "", 40, NA, NA, 900 * MS)}, {0}, {0}, {.sync = 900 * MS},
	"wait for it at a later barrier", "nowait"},
    {"unequal sections", {REGION("sections", "", 40, 900 * MS, NA, 900 * MS)}, {0}, {0},
	{.sync = 900 * MS}, "split the long ones", NULL},
    {"unequal sections of a region", {REGION("sections", "", 40, NA, NA, 900 * MS)}, {0}, {0},
	{.sync = 900 * MS}, "split the long ones", "more evenly"},
    {"equal sections, late threads", {REGION("sections", "", 40, 900 * MS, NA, 9 * MS)}, {0}, {0},
	{.sync = 900 * MS}, "take equal time", "split"},
    {"unequal work in a region", {PARALLEL(40, 900 * MS, 900 * MS)}, {0}, {0}, {.sync = 900 * MS},
	"its threads take unequal time: share its work out more evenly", "unequal work"},
    {"equal work in a region", {PARALLEL(40, 900 * MS, 9 * MS)}, {0}, {0}, {.sync = 900 * MS},
	"take equal time", "unequal"},
    {"many short regions", {PARALLEL(400000, 900 * MS, 9 * MS)}, {0}, {0}, {.sync = 900 * MS},
	"put several regions into one", "unequal"},
    {"a barrier that some reach late", {REGION("barrier", "", 40, 900 * MS, NA, NA)}, {0}, {0},
	{.sync = 900 * MS}, "threads arrive unevenly", "many"},
    {"a barrier behind a master",
	{REGION("barrier", "", 40, 900 * MS, NA, NA), PARALLEL_AT(5, 20, 0),
	    PLACED("master", 6, 1, 290 * MS, 300 * MS, 300 * MS)},
	{0}, {0}, {.sync = 900 * MS},
	"a.c:7 barrier: threads lose 900ms there (22.5% of the thread time); in the same parallel region a.c:6 master "
	"takes one thread 300ms, and 75.0ms on average",
	"arrive unevenly"},
    {"an even loop that a master delays",
	{REGION("for", "", 40, 900 * MS, NA, 9 * MS), PARALLEL_AT(5, 20, 0),
	    PLACED("masked", 6, 1, 290 * MS, 300 * MS, 300 * MS)},
	{0}, {0}, {.sync = 900 * MS}, "a.c:6 masked takes one thread 300ms", "equal time"},
    {"an uneven loop beside a master",
	{REGION("for", "", 40, 900 * MS, NA, 900 * MS), PARALLEL_AT(5, 20, 0),
	    PLACED("master", 6, 1, 290 * MS, 300 * MS, 300 * MS)},
	{0}, {0}, {.sync = 900 * MS}, "unequal time", "master"},
    {"a barrier beside a short master",
	{REGION("barrier", "", 40, 900 * MS, NA, NA), PARALLEL_AT(5, 20, 0),
	    PLACED("master", 6, 1, 100 * MS, 100 * MS, 100 * MS)},
	{0}, {0}, {.sync = 900 * MS}, "threads arrive unevenly", "master"},
    {"a barrier beside a master that others work meanwhile",
	{REGION("barrier", "", 40, 100 * MS, NA, NA), PARALLEL_AT(5, 20, 0),
	    PLACED("master", 6, 1, 300 * MS, 300 * MS, 300 * MS)},
	{0}, {0}, {.sync = 900 * MS}, NULL, "master"},
    {"a barrier, and a master of another region",
	{REGION("barrier", "", 40, 900 * MS, NA, NA), PARALLEL_AT(5, 20, 0), PARALLEL_AT(50, 60, 0),
	    PLACED("master", 55, 1, 300 * MS, 300 * MS, 300 * MS)},
	{0}, {0}, {.sync = 900 * MS}, "threads arrive unevenly", "master"},
    {"a region's end behind a critical that one thread enters",
	{PARALLEL_AT(5, 20, 900 * MS), PLACED("critical", 6, 1, 300 * MS, 300 * MS, 300 * MS)}, {0},
	{0}, {.sync = 900 * MS}, "a.c:6 critical takes one thread 300ms", "late"},
    {"a barrier behind tasks that a master creates",
	{REGION("barrier", "", 4, 900 * MS, NA, NA), PARALLEL_AT(5, 20, 0),
	    PLACED("master", 6, 1, 10 * MS, 300 * MS, 300 * MS)},
	{0}, {"/src/a.c", 8, 20, 20, 0, 1 * MS, 600 * MS, 290 * MS}, {.sync = 900 * MS},
	"the longest a.c:8 task takes 290ms, 30.0ms on average: split", "master"},
    {"many quick barriers", {REGION("barrier", "", 400000, 900 * MS, NA, NA)}, {0}, {0},
	{.sync = 900 * MS}, "each time is short, but there are many", "unevenly"},
    {"a barrier that waits for MPI",
	{REGION("barrier", "", 40, 900 * MS, NA, NA), REGION("mpi", "MPI_Recv", 4, NA, NA, NA)},
	{0}, {0}, {.sync = 900 * MS, .mpi_calls = 4, .mpi_team = 300 * MS, .mpi_held = 900 * MS},
	"others of their teams are in MPI meanwhile", "unevenly"},
    {"a barrier beside MPI",
	{REGION("barrier", "", 40, 900 * MS, NA, NA), REGION("mpi", "MPI_Recv", 4, NA, NA, NA)},
	{0}, {0}, {.sync = 900 * MS, .mpi_calls = 4, .mpi_team = 300 * MS, .mpi_held = 1 * MS},
	"threads arrive unevenly", "meanwhile."},
    {"a contended critical", {REGION("critical", "sum", 1000000, NA, 800 * MS, NA)},
	{"critical(sum) a.c:7", 1000000, 500000, 800 * MS, 100 * MS}, {0}, {.sync = 800 * MS},
	"threads queue for it", "free"},
    {"a critical that is long held", {REGION("critical", "", 1000, NA, 800 * MS, NA)},
	{"critical a.c:7", 1000, 3, 800 * MS, 900 * MS}, {0}, {.sync = 800 * MS},
	"threads queue for it", "free"},
    {"a critical that is free", {REGION("critical", "sum", 1000000, NA, 800 * MS, NA)},
	{"critical(sum) a.c:7", 1000000, 0, 800 * MS, 100 * MS}, {0}, {.sync = 800 * MS},
	"it was nearly always free when threads came: enter", "entering itself"},
    {"a critical that is nearly free", {REGION("critical", "sum", 1000000, NA, 800 * MS, NA)},
	{"critical(sum) a.c:7", 8000000, 4, 800 * MS, 100 * MS}, {0}, {.sync = 800 * MS},
	"nearly always free", "queue"},
    {"a critical that few threads wait long for",
	{REGION("critical", "sum", 1000000, NA, 800 * MS, NA)},
	{"critical(sum) a.c:7", 1000000, 4, 800 * MS, 100 * MS}, {0}, {.sync = 800 * MS},
	"threads queue for it", "free"},
    {"short waits, however unequal", {REGION("for", "", 1000000, 800 * MS, NA, 800 * MS)}, {0}, {0},
	{.sync = 800 * MS}, "each time is short, but there are many", "unequal"},
    {"a barrier behind singles of all threads",
	{PARALLEL_AT(5, 20, 0), PLACED("single", 7, 4, 200 * MS, 50 * MS, 200 * MS),
	    PLACED_BARRIER(9, 600 * MS)},
	{0}, {0}, {.sync = 600 * MS},
	"in the same parallel region a.c:7 single has one thread work for 200ms in all",
	"unevenly"},
    {"a critical, and another one's queue", {REGION("critical", "", 1000000, NA, 800 * MS, NA)},
	{"critical(sum) a.c:7", 1000000, 500000, 1 * MS, 100 * MS}, {0}, {.sync = 800 * MS},
	"look at what", "queue"},
    {"an ordered that waits for its turn", {REGION("ordered", "", 1000, NA, 800 * MS, NA)}, {0},
	{0}, {.sync = 800 * MS}, "iterations wait for their turn", "many"},
    {"an ordered that costs", {REGION("ordered", "", 1000000, NA, 800 * MS, NA)}, {0}, {0},
	{.sync = 800 * MS}, "each time is short", "turn"},
    {"a contended lock", {PARALLEL(4, 0, 0)}, {"lock 0x1", 1000, 500, 800 * MS, 100 * MS}, {0},
	{.sync = 800 * MS}, "threads queue for it: hold it shorter", "free"},
    {"a free lock", {PARALLEL(4, 0, 0)}, {"lock 0x1", 1000000, 0, 800 * MS, 100 * MS}, {0},
	{.sync = 800 * MS}, "set it less often", "queue"},
    {"tasks that others execute", {REGION("taskwait", "", 40, 900 * MS, NA, NA)}, {0}, {0},
	{.sync = 900 * MS}, "wait for tasks that have not ended", "many"},
    {"many quick taskwaits", {REGION("taskwait", "", 4000000, 900 * MS, NA, NA)}, {0}, {0},
	{.sync = 900 * MS}, "each time is short", "wait for tasks"},
    {"small tasks", {PARALLEL(4, 0, 0)}, {0},
	{"/src/a.c", 3, 1000000, 1000000, 0, 400 * MS, 900 * MS}, {0}, "make them larger", NULL},
    {"large tasks", {PARALLEL(4, 0, 0)}, {0}, {"/src/a.c", 3, 1000, 1000, 0, 1 * MS, 900 * MS}, {0},
	"No single loss", "make them larger"},
    {"a serial part", {{0}}, {0}, {0}, {.parallel = 500 * MS},
	"50.0% of the wall time runs on one thread, outside parallel regions, while", "MPI"},
    {"several threads with teams of their own", {{0}}, {0}, {0}, {.parallel = 500 * MS, .roots = 2},
	NULL, "runs on one thread"},
    {"MPI instead of a serial part", {REGION("mpi", "MPI_Allreduce", 4, NA, NA, NA)}, {0}, {0},
	{.parallel = 200 * MS, .mpi_calls = 4, .mpi_serial = 790 * MS},
	"MPI takes 79.0% of the thread time (790ms in its calls, 2.37s in threads that idle meanwhile), "
	"most of it in MPI_Allreduce. What ranks wait for there",
	"runs on one thread"},
    {"MPI and a serial part", {REGION("mpi", "MPI_Allreduce", 4, NA, NA, NA)}, {0}, {0},
	{.parallel = 200 * MS, .mpi_calls = 4, .mpi_serial = 400 * MS},
	"40.0% of the wall time runs on one thread, outside parallel regions and MPI", NULL},
    {"MPI that waits", {REGION("mpi", "MPI_Recv", 4, NA, NA, NA)}, {0}, {0},
	{.parallel = 200 * MS,
	    .mpi_calls = 4,
	    .mpi_serial = 800 * MS,
	    .mpi_waits_known = 1,
	    .mpi_wait = 700 * MS,
	    .rank_wait = {"MPI_Recv", "late sender", 3, 600 * MS}},
	"longest in MPI_Recv: 600ms (late sender, mostly for rank 3): give the ranks equal work before "
	"it, or send earlier",
	"transfer"},
    {"MPI that does not wait", {REGION("mpi", "MPI_Recv", 4, NA, NA, NA)}, {0}, {0},
	{.parallel = 200 * MS,
	    .mpi_calls = 4,
	    .mpi_serial = 800 * MS,
	    .mpi_waits_known = 1,
	    .mpi_wait = 7 * MS,
	    .rank_wait = {"MPI_Recv", "late sender", 3, 6 * MS}},
	"Less than half of it is waits", "give the ranks"},
    {"MPI's beginning", {REGION("mpi", "MPI_Init", 4, NA, NA, NA)}, {0}, {0},
	{.parallel = 200 * MS, .mpi_calls = 4, .mpi_serial = 800 * MS},
	"most of it in MPI_Init, which a longer run also calls once", "ompreport messages"},
    {"MPI in many functions",
	{{"mpi", "MPI_Recv", "", 0, 0, 4, 200 * MS}, {"mpi", "MPI_Init", "", 0, 0, 4, 300 * MS}},
	{0}, {0}, {.parallel = 200 * MS, .mpi_calls = 4, .mpi_serial = 800 * MS},
	"longest in MPI_Init. What ranks wait for there", "most of it"},
    {"no MPI to speak of", {REGION("mpi", "MPI_Recv", 4, NA, NA, NA)}, {0}, {0},
	{.mpi_calls = 4, .mpi_team = 1 * MS}, "No single loss", "MPI"},
    {"one thread", {PARALLEL(4, NA, 0)}, {0}, {0}, {.threads = 1, .locations = 1},
	"OMP_NUM_THREADS", NULL},
    {"one thread, one processor", {PARALLEL(4, NA, 0)}, {0}, {0},
	{.threads = 1, .locations = 1, .processors = 1}, "may use one processor",
	"OMP_NUM_THREADS"},
    {"no parallel region", {REGION("region", "step", 4, NA, NA, NA)}, {0}, {0},
	{.threads = 1, .locations = 1}, "no parallel region was executed", "OMP_NUM_THREADS"},
    {"threads without teams", {PARALLEL(4, NA, 0)}, {0}, {0}, {.threads = 1, .locations = 3}, NULL,
	"one thread"},
    {"short regions that take long to start", {PARALLEL(100000, 0, 0)}, {0}, {0},
	{.management = 800 * MS}, "a parallel region lasts 36.0us on average; put several", "late"},
    {"long regions that start late", {PARALLEL(4, 0, 0)}, {0}, {0}, {.management = 800 * MS},
	"what delays them was not measured", "more threads than processors"},
    {"more threads than processors", {PARALLEL(4, 0, 0)}, {0}, {0},
	{.management = 800 * MS, .processors = 2}, "there are more threads than processors", NULL},
    {"teams smaller than the largest", {{0}}, {0}, {0}, {.useful = 2000 * MS}, "is in no team",
	NULL},
    {"a trace without teams", {{0}}, {0}, {0},
	{.useful = NA, .sync = NA, .management = NA, .parallel = NA}, NULL, "is in no team"},
    {"costly measuring", {{0}}, {0}, {0}, {.event_cost = 400 * MS},
	"Measuring itself takes about 10.0%", NULL},
    {"lost events", {{0}}, {0}, {0}, {.events = 100, .lost_events = 7},
	"events were not measured: the figures are too low", "complete"},
    {"events that the trace alone lacks", {{0}}, {0}, {0},
	{.events = 100, .lost_events = 7, .untraced_events = 7}, "the figures here are complete",
	"too low"},
    {"a short run", {{0}}, {0}, {0}, {.wall = 5 * MS}, "The whole run took 5.00ms, too short",
	NULL},
    {"a short part of a run", {{0}}, {0}, {0}, {.wall = 5 * MS, .is_part = 1}, NULL, "too short"},
    {"regions that were chosen", {REGION("for", "", 4, NA, NA, 0)}, {0}, {0},
	{.threads = 1, .locations = 1, .is_part = 1}, NULL, "no parallel region"},
    {"a chosen thread's wait at a barrier", {REGION("for", "", 40, 800 * MS, NA, 800 * MS)}, {0},
	{0}, {.sync = 900 * MS, .is_part = 1, .chosen = "--thread=1", .chosen_threads = 1},
	"a.c:7 for: the chosen threads lose 800ms there (80.0% of their time); `ompreport imbalance`",
	"schedule"},
    {"work of a chosen thread that others wait for", {REGION("single", "", 4, NA, NA, 900 * MS)},
	{0}, {0},
	{.sync = 2700 * MS, .parallel = 500 * MS, .is_part = 1, .chosen = "--region=single"},
	"No wait of what was chosen is worth a change", "wall time"},
    {"a chosen thread that waits for tasks", {REGION("taskwait", "", 40, 400 * MS, NA, NA)}, {0},
	{0}, {.sync = 900 * MS, .is_part = 1, .chosen = "--thread=1", .chosen_threads = 1},
	"(40.0% of their time); threads wait for tasks that have not ended", "thread time"},
    {"a lock of two chosen threads", {{0}}, {"lock mutex", 1000, 900, 500 * MS, 1 * MS}, {0},
	{.sync = 900 * MS, .is_part = 1, .chosen = "--rank=1", .chosen_threads = 2},
	"setting it takes 500ms (25.0% of their time); threads queue", "thread time"},
    {"a chosen region", {REGION("for", "", 40, 800 * MS, NA, 800 * MS)}, {0}, {0},
	{.sync = 900 * MS, .is_part = 1, .chosen = "--region=for"},
	"for: threads lose 800ms there (20.0% of the thread time)", "chosen threads"},
    {"MPI and teams of all threads", {PARALLEL(4, 0, 0)}, {0}, {0},
	{.mpi_calls = 4,
	    .mpi_team = 900 * MS,
	    .management = 800 * MS,
	    .is_part = 1,
	    .chosen = "--thread=1",
	    .chosen_threads = 1},
	"No wait of what was chosen", "MPI"},
    {"events lost to a run of which a part is chosen", {{0}}, {0}, {0},
	{.events = 100, .lost_events = 7, .is_part = 1},
	"7 events of the whole run were lost: where some of them belong to the part", "complete"},
    {"input that the first thread reads", {{0}}, {0}, {0},
	{.parallel = 450 * MS,
	    .serial_blocked = 510 * MS,
	    .blocked_calls = reads,
	    .blocked_call_count = 1},
	"b.c:40 (pause): read(2) blocks the first thread for 500ms (50.0% of the wall time), outside parallel "
	"regions, while 3 others idle.",
	"In all"},
    {"a mutex, and more", {{0}}, {0}, {0},
	{.parallel = 200 * MS,
	    .serial_blocked = 700 * MS,
	    .blocked_calls = mutexes,
	    .blocked_call_count = 1},
	"the first thread waits for a pthread mutex for 500ms (50.0% of the wall time), outside parallel regions, "
	"while 3 others idle. In all it is blocked for 700ms there.",
	NULL},
    {"calls that nothing has seen", {{0}}, {0}, {0},
	{.parallel = 450 * MS,
	    .serial_blocked = 510 * MS,
	    .blocked_calls = unseen,
	    .blocked_call_count = 1},
	"the first thread neither runs nor waits for a processor for 510ms", "b.c"},
    {"threads that sleep", {{0}}, {0}, {0},
	{.blocked = 500 * MS, .blocked_calls = sleeps, .blocked_call_count = 1},
	"b.c:40 (pause): threads sleep for 500ms (12.5% of the thread time) in a.c:7 for.",
	"first"},
    {"a thread that sleeps before a barrier",
	{PARALLEL_ASLEEP(500 * MS), PLACED_BARRIER(9, 1000 * MS), PLACED_BARRIER(12, 200 * MS)},
	{0}, {0},
	{.sync = 1200 * MS, .blocked = 500 * MS, .blocked_calls = sleeps, .blocked_call_count = 1},
	"b.c:40 (pause): threads sleep for 500ms (12.5% of the thread time) in a.c:7 for. Others wait 1.20s for "
	"them.",
	"unevenly"},
    {"memory that lives for a step", {{0}}, {0}, {0}, FAULTS(churned, NA),
	"Page faults take 1.40s (35.0% of the processor time), 85.7% of that in b.c:20 (step): 200k of them. The "
	"memory is allocated at b.c:16 and freed at b.c:24, and goes back to the kernel there: keep it, or try "
	"MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=268435456.",
	"at least"},
    {"mappings that live for a step", {{0}}, {0}, {0}, FAULTS(mapped, NA),
	"of the processor time), 100.0% of that in step (most in b.c:20): 200k of them. The memory is unmapped at "
	"b.c:24 and elsewhere, and goes back to the kernel there: keep it.",
	"MALLOC_"},
    {"first uses of memory", {{0}}, {0}, {0}, FAULTS(first_used, NA),
	"100.0% of that in b.c:20 (step): 200k of them. No sample shows memory going back to the kernel, so these are "
	"first uses of pages: use less memory, or larger pages",
	"MALLOC_MMAP"},
    {"too few samples of faults", {{0}}, {0}, {0}, FAULTS(few, 5 * US),
	"Page faults take at least 1.00s of the 2.00s that the kernel works (50.0% of the processor time): 200k of "
	"them. Memory that is freed",
	"b.c"},
    {"too few samples, and no cost", {{0}}, {0}, {0}, FAULTS(few, NA),
	"The kernel works for 2.00s (50.0% of the processor time), in system calls and 200k page faults.",
	"b.c"},
    {"a quota", {{0}}, {0}, {0}, {.delayed = 2000 * MS, .quota = 500, .throttled = 1200 * MS},
	"A quota of 0.50 processors stopped the process's control group for 1.20s: threads with work waited 2.00s",
	"for a processor, which others had; figures of balance are unsure."},
    {"a quota that explains little", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .quota = 500, .throttled = 300 * MS},
	"others had; figures of balance are unsure. Its control group's quota of 0.50 processors stopped it for 300ms.",
	"A quota"},
    {"a quota that was never used up", {{0}}, {0}, {0}, {.delayed = 2000 * MS, .quota = 500},
	"others had; figures of balance are unsure. Repeat", "quota"},
    {"a virtual machine without processors", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .stolen = 1500 * MS},
	"This virtual machine had no real processor for 1.50s", "quota"},
    {"waits in which threads have no processor", {LOOP_DELAYED(900 * MS, 700 * MS, 850 * MS)}, {0},
	{0}, {.sync = 900 * MS, .delayed = 200 * MS, .wait_delayed = 850 * MS},
	"The machine was busy: threads with work waited 200ms (5.0% of the thread time) for a processor, which "
	"others had; figures of balance are unsure. In OpenMP's waits threads had none for 850ms.",
	"unequal"},
    {"unequal work, and few waits without a processor", {LOOP_DELAYED(900 * MS, 800 * MS, 90 * MS)},
	{0}, {0}, {.sync = 900 * MS, .delayed = 200 * MS, .wait_delayed = 90 * MS},
	"a.c:7 for: threads lose 720ms there", NULL},
    {"a barrier behind a loop whose threads have no processor",
	{PARALLEL_AT(5, 20, 0), LOOP_OPEN(300 * MS), PLACED_BARRIER(7, 900 * MS)}, {0}, {0},
	{.sync = 900 * MS, .delayed = 300 * MS},
	"The machine was busy: threads with work waited 300ms", "unevenly"},
    {"threads that share a processor while others are idle", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .processors = 4, .online = 4, .idle = 3000 * MS},
	"Threads with work waited 2.00s for a processor (50.0% of the thread time), while the machine's were idle "
	"for 3.00s: the kernel let threads share one. Try OMP_PROC_BIND=true.",
	"busy"},
    {"threads that wake each other", {{0}}, {0}, {0},
	{.delayed = 2000 * MS,
	    .blocked = 50 * MS,
	    .processors = 4,
	    .online = 4,
	    .idle = 3000 * MS,
	    .blocked_calls = mutexes_in_teams,
	    .blocked_call_count = 1},
	"one. A thread that is woken often gets the processor of the one that woke it: threads wait for a pthread "
	"mutex at b.c:40 (pause). Try",
	"busy"},
    {"a part of a run whose machine was idle at some time", {{0}}, {0}, {0},
	{.delayed = 2000 * MS,
	    .processors = 4,
	    .online = 4,
	    .idle = SUMMARY_NOT_MEASURED,
	    .is_part = 1},
	"Threads with work waited 2.00s for a processor (50.0% of the thread time). Whether other programs had it",
	"busy"},
    {"processors that were idle for less", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .processors = 4, .online = 4, .idle = 1000 * MS}, "others had",
	"share"},
    {"idle processors that are not the process's", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .processors = 4, .online = 8, .idle = 3000 * MS}, "others had",
	"share"},
    {"threads that are bound together", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .bound = 1, .online = 4},
	"The threads' own places (OMP_PLACES, OMP_PROC_BIND, or sched_setaffinity() by the program) leave 1 of the process's 4 processors.",
	"process's affinity"},
    {"a process that may use one processor", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .bound = 1, .processors = 1, .online = 4},
	"leaves 1 of the machine's 4 processors. OMP_NUM_THREADS=1 starts as many as can run.",
	"own"},
    {"more threads than the machine has processors", {{0}}, {0}, {0},
	{.delayed = 2000 * MS, .bound = 2, .processors = 2, .online = 2},
	"4 threads on 2 processors: threads with work waited 2.00s for one (50.0% of the thread time), and others for them. OMP_NUM",
	"leave"},
    {"no loss", {{0}}, {0}, {0}, {0},
	"No single loss is worth a change: 100.0% of the thread time is outside of waits", "short"},
    {"many small losses",
	{PARALLEL(40, 100 * MS, 100 * MS), REGION("for", "", 40, 100 * MS, NA, 100 * MS)}, {0}, {0},
	{.sync = 800 * MS}, "80.0% of the thread time is outside of waits, of starting",
	"No single"},
};

/* What the row leaves out is as in a run without losses. */
static void complete(struct summary *summary)
{
	uint64_t lost;

	summary->wall = summary->wall ? summary->wall : 1000 * MS;
	summary->threads = summary->threads ? summary->threads : 4;
	summary->locations = summary->locations ? summary->locations : summary->threads;
	summary->processors = summary->processors ? summary->processors : 4;
	summary->parallel = summary->parallel ? summary->parallel : summary->wall;
	if (summary->useful != 0)
		return;
	lost = summary->sync + summary->management + summary->mpi_team + summary->delayed +
	       summary->blocked;
	summary->useful = summary->threads * summary->parallel - lost;
}

/* Returns how many sentences there are. */
static int advise(const struct plant *plant, char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE])
{
	static const struct summary_region whole = PARALLEL(4, 0, 0);
	struct summary summary = plant->totals;

	complete(&summary);
	summary.regions = plant->regions[0].name ? plant->regions : &whole;
	summary.region_count = 1;
	while (summary.region_count < PLACES && plant->regions[0].name &&
	       plant->regions[summary.region_count].name)
		summary.region_count++;
	summary.locks = &plant->lock;
	summary.lock_count = plant->lock.name != NULL;
	summary.tasks = &plant->task;
	summary.task_count = plant->task.file != NULL;
	return summary_advise(&summary, advice);
}

static int check(const struct plant *plant)
{
	char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE];
	int count = advise(plant, advice), said = plant->given == NULL, wrong = 0;

	for (int i = 0; i < count; i++) {
		said |= plant->given && strstr(advice[i], plant->given) != NULL;
		wrong |= plant->not_given && strstr(advice[i], plant->not_given) != NULL;
	}
	if (said && !wrong)
		return 0;
	printf("FAIL: %s: '%s' is %s; the advice is\n", plant->what,
	    said ? plant->not_given : plant->given, said ? "given" : "not given");
	for (int i = 0; i < count; i++)
		printf("  - %s\n", advice[i]);
	return 1;
}

static void print(const struct plant *plant)
{
	char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE];
	int count = advise(plant, advice);

	for (int i = 0; i < count; i++)
		puts(advice[i]);
}

int main(int argc, char **argv)
{
	int is_asked = argc > 1 && strcmp(argv[1], "--print") == 0, failed = 0;

	for (size_t i = 0; i < sizeof(plants) / sizeof(plants[0]); i++) {
		if (is_asked)
			print(&plants[i]);
		else
			failed |= check(&plants[i]);
	}
	return failed;
}
