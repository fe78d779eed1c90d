/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The single list of OpenMP's constructs: all that the instrumenter, measurement, conversion,
 * reports, advice and documents know about each. To add a construct, add a row here, and it works
 * in every room; CONTRIBUTING.md has the steps for its documents and tests.
 *
 * Descriptors in compiled programs, traces and summaries contain these names: a row may be added,
 * but a name never changes. A name without a row (in a descriptor written by hand, or by a newer
 * ompinst) is CONSTRUCT_OTHER: it is measured like a region of the user and reported once.
 *
 * Each room that needs some of the columns expands a row. It defines the words of the column groups
 * (WRITTEN, CALLED, ...) that it uses; other words stay unexpanded. This header expands each group
 * of each row once, so a row that lacks a column compiles nowhere. It needs no library of any room:
 * a room pastes a word to a prefix of its own, such as OTF2_REGION_ROLE_ and the role.
 */
#ifndef SHARED_CONSTRUCTS_H
#define SHARED_CONSTRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CONSTRUCT_NOT_HOST   "not host code"
#define CONSTRUCT_VECTORS    "a call would stop vectorisation"
#define CONSTRUCT_VARIANT    "its variant is not known here"
#define CONSTRUCT_RECORDED   "its tasks are recorded and run again"
#define CONSTRUCT_AS_WRITTEN "stays as written"
#define CONSTRUCT_DECLARES   "declarative"

/* clang-format off */

/*
 * Constructs that are measured:
 *
 *   CONSTRUCT(id, name, WRITTEN(...), CALLED(...), MEASURED(...), TRACED(...), ADVISED(...), about)
 *
 *   id      in enum construct_id, without CONSTRUCT_
 *   name    OpenMP's name; in the program's text, a blank in it may be an underscore
 *   about   what its time consists of, for documents: half a line
 *
 *   WRITTEN(body, barrier, followers, data, inside)
 *     body       what follows its line as a part of it: NONE, BLOCK, LOOP, SECTIONS, SECTION
 *     barrier    its implicit barrier: NEVER, UNLESS_NOWAIT, or INSIDE, which no clause removes
 *     followers  the directives that it can be combined with, after it: FOLLOWED_BY(id) | ..., or
 *                ALONE
 *     data       OWN_DATA if a default clause on it would apply to variables, else SAME_DATA
 *     inside     why nothing inside it may call the library; NULL if everything may
 *
 *   CALLED(calls, stem, defined, group)
 *     calls      which calls of pomp.h it gets:
 *                AROUND  pomp_STEM_enter, pomp_STEM_exit
 *                INSIDE  pomp_STEM_begin, pomp_STEM_end
 *                BOTH    all four
 *                FORK    pomp_STEM_fork, _begin, _end, _join, with a handle
 *                CREATE  pomp_STEM_create_begin, _begin, _end, _create_end, with a handle
 *     defined    how libpomp defines them: CONSTRUCT or WAIT, generated from the row; BY_HAND if
 *                they do more; ELSEWHERE if another row has the same calls
 *     group      what --disable calls it: the id of the row that names the group
 *
 *   MEASURED(kind, waits)
 *     kind       enum construct_kind, without CONSTRUCT_KIND_: WORK if the whole team executes it;
 *                SINGLE, CRITICAL and ORDERED have the calls BOTH; otherwise mostly PLAIN
 *     waits      what a thread waits for in it: NOTHING, TEAM (its barrier), HOLDER (of a lock),
 *                TURN (of its iteration), TASKS
 *
 *   TRACED(role, block, word)
 *     role       of its region in an OTF2 archive, without OTF2_REGION_ROLE_
 *     block      the role of its block's region, for the calls begin and end ...
 *     word       ... and what follows the construct in that region's name
 *
 *   ADVISED(remedy)
 *     remedy     the advice if time is lost in it: GENERAL, or one of its own
 */
#define CONSTRUCTS(CONSTRUCT) \
	CONSTRUCT(PARALLEL, "parallel", \
	    WRITTEN(BLOCK, INSIDE, FOLLOWED_BY(FOR) | FOLLOWED_BY(SECTIONS) | FOLLOWED_BY(LOOP) | \
		FOLLOWED_BY(MASTER) | FOLLOWED_BY(MASKED), OWN_DATA, NULL), \
	    CALLED(FORK, parallel, BY_HAND, PARALLEL), \
	    MEASURED(PARALLEL, TEAM), TRACED(PARALLEL, CODE, "block"), ADVISED(TEAM), \
	    "from fork to join; on each thread of the team, the block and the barrier at its end") \
	CONSTRUCT(FOR, "for", \
	    WRITTEN(LOOP, UNLESS_NOWAIT, FOLLOWED_BY(SIMD), SAME_DATA, NULL), \
	    CALLED(AROUND, for, CONSTRUCT, FOR), \
	    MEASURED(WORK, TEAM), TRACED(LOOP, CODE, "block"), ADVISED(ITERATIONS), \
	    "a thread's iterations, and the barrier after them") \
	CONSTRUCT(SECTIONS, "sections", \
	    WRITTEN(SECTIONS, UNLESS_NOWAIT, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, sections, CONSTRUCT, SECTIONS), \
	    MEASURED(WORK, TEAM), TRACED(SECTIONS, SECTION, "section"), ADVISED(SECTIONS), \
	    "a thread's sections, and the barrier after them") \
	CONSTRUCT(SECTION, "section", \
	    WRITTEN(SECTION, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(INSIDE, section, BY_HAND, SECTIONS), \
	    MEASURED(PLAIN, NOTHING), TRACED(SECTION, CODE, "block"), ADVISED(GENERAL), \
	    "one section") \
	CONSTRUCT(SINGLE, "single", \
	    WRITTEN(BLOCK, UNLESS_NOWAIT, ALONE, SAME_DATA, NULL), \
	    CALLED(BOTH, single, CONSTRUCT, SINGLE), \
	    MEASURED(SINGLE, TEAM), TRACED(SINGLE, SINGLE_SBLOCK, "sblock"), ADVISED(ONE_THREAD), \
	    "on one thread the block, and on all threads the barrier after it") \
	CONSTRUCT(SCOPE, "scope", \
	    WRITTEN(BLOCK, UNLESS_NOWAIT, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, scope, CONSTRUCT, SCOPE), \
	    MEASURED(WORK, TEAM), TRACED(WORKSHARE, CODE, "block"), ADVISED(GENERAL), \
	    "the block, and the barrier after it") \
	CONSTRUCT(MASTER, "master", \
	    WRITTEN(BLOCK, NEVER, FOLLOWED_BY(TASKLOOP), SAME_DATA, NULL), \
	    CALLED(INSIDE, master, CONSTRUCT, MASTER), \
	    MEASURED(PLAIN, NOTHING), TRACED(MASTER, CODE, "block"), ADVISED(GENERAL), \
	    "the block, on the threads that execute it") \
	CONSTRUCT(MASKED, "masked", \
	    WRITTEN(BLOCK, NEVER, FOLLOWED_BY(TASKLOOP), SAME_DATA, NULL), \
	    CALLED(INSIDE, master, ELSEWHERE, MASTER), \
	    MEASURED(PLAIN, NOTHING), TRACED(MASTER, CODE, "block"), ADVISED(GENERAL), \
	    "the block, on the threads that execute it") \
	CONSTRUCT(CRITICAL, "critical", \
	    WRITTEN(BLOCK, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(BOTH, critical, BY_HAND, CRITICAL), \
	    MEASURED(CRITICAL, HOLDER), TRACED(CRITICAL, CRITICAL_SBLOCK, "sblock"), ADVISED(MUTEX), \
	    "the wait to enter, and the block") \
	CONSTRUCT(ORDERED, "ordered", \
	    WRITTEN(BLOCK, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(BOTH, ordered, BY_HAND, ORDERED), \
	    MEASURED(ORDERED, TURN), TRACED(ORDERED, ORDERED_SBLOCK, "sblock"), ADVISED(GENERAL), \
	    "the wait for earlier iterations, and the block") \
	CONSTRUCT(ATOMIC, "atomic", \
	    WRITTEN(BLOCK, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, atomic, CONSTRUCT, ATOMIC), \
	    MEASURED(PLAIN, NOTHING), TRACED(ATOMIC, CODE, "block"), ADVISED(GENERAL), \
	    "the update") \
	CONSTRUCT(FLUSH, "flush", \
	    WRITTEN(NONE, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, flush, CONSTRUCT, FLUSH), \
	    MEASURED(PLAIN, NOTHING), TRACED(FLUSH, CODE, "block"), ADVISED(GENERAL), \
	    "the flush") \
	CONSTRUCT(BARRIER, "barrier", \
	    WRITTEN(NONE, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, barrier, BY_HAND, BARRIER), \
	    MEASURED(BARRIER, TEAM), TRACED(BARRIER, CODE, "block"), ADVISED(BARRIER), \
	    "the wait for the team; an implicit barrier belongs to its construct") \
	CONSTRUCT(TASK, "task", \
	    WRITTEN(BLOCK, NEVER, ALONE, OWN_DATA, NULL), \
	    CALLED(CREATE, task, BY_HAND, TASK), \
	    MEASURED(TASK, NOTHING), TRACED(TASK, CODE, "block"), ADVISED(GENERAL), \
	    "creating it, and on the thread that executes it the block") \
	CONSTRUCT(TASKLOOP, "taskloop", \
	    WRITTEN(LOOP, NEVER, FOLLOWED_BY(SIMD), OWN_DATA, NULL), \
	    CALLED(AROUND, taskloop, CONSTRUCT, TASKLOOP), \
	    MEASURED(PLAIN, TASKS), TRACED(CODE, CODE, "block"), ADVISED(GENERAL), \
	    "creating its tasks, and the wait for them") \
	CONSTRUCT(TASKWAIT, "taskwait", \
	    WRITTEN(NONE, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, taskwait, WAIT, TASKWAIT), \
	    MEASURED(TASK_WAIT, TASKS), TRACED(TASK_WAIT, CODE, "block"), ADVISED(GENERAL), \
	    "the wait for child tasks") \
	CONSTRUCT(TASKGROUP, "taskgroup", \
	    WRITTEN(BLOCK, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(BOTH, taskgroup, BY_HAND, TASKGROUP), \
	    MEASURED(PLAIN, TASKS), TRACED(CODE, CODE, "block"), ADVISED(GENERAL), \
	    "the block, and from its end on the wait for the group's tasks") \
	CONSTRUCT(TASKYIELD, "taskyield", \
	    WRITTEN(NONE, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, taskyield, WAIT, TASKYIELD), \
	    MEASURED(TASK_WAIT, TASKS), TRACED(TASK_WAIT, CODE, "block"), ADVISED(GENERAL), \
	    "the time until the thread goes on with its task") \
	CONSTRUCT(LOOP, "loop", \
	    WRITTEN(LOOP, NEVER, ALONE, SAME_DATA, \
		"inside 'loop': its iterations may not call anything"), \
	    CALLED(AROUND, loop, CONSTRUCT, LOOP), \
	    MEASURED(PLAIN, NOTHING), TRACED(LOOP, CODE, "block"), ADVISED(GENERAL), \
	    "all of it, from outside") \
	CONSTRUCT(DISTRIBUTE, "distribute", \
	    WRITTEN(LOOP, NEVER, FOLLOWED_BY(PARALLEL) | FOLLOWED_BY(SIMD), SAME_DATA, \
		"inside 'distribute': " CONSTRUCT_NOT_HOST), \
	    CALLED(AROUND, distribute, CONSTRUCT, DISTRIBUTE), \
	    MEASURED(PLAIN, NOTHING), TRACED(LOOP, CODE, "block"), ADVISED(GENERAL), \
	    "all of it, from outside") \
	CONSTRUCT(TEAMS, "teams", \
	    WRITTEN(BLOCK, NEVER, FOLLOWED_BY(DISTRIBUTE) | FOLLOWED_BY(LOOP) | \
		FOLLOWED_BY(WORKDISTRIBUTE), OWN_DATA, "inside 'teams': " CONSTRUCT_NOT_HOST), \
	    CALLED(AROUND, teams, CONSTRUCT, TEAMS), \
	    MEASURED(PLAIN, NOTHING), TRACED(CODE, CODE, "block"), ADVISED(GENERAL), \
	    "all of it, from outside") \
	CONSTRUCT(TARGET, "target", \
	    WRITTEN(BLOCK, NEVER, FOLLOWED_BY(TEAMS) | FOLLOWED_BY(PARALLEL) | FOLLOWED_BY(SIMD), \
		SAME_DATA, "inside 'target': " CONSTRUCT_NOT_HOST), \
	    CALLED(AROUND, target, CONSTRUCT, TARGET), \
	    MEASURED(PLAIN, NOTHING), TRACED(CODE, CODE, "block"), ADVISED(GENERAL), \
	    "all of it, from the host: data, the region on the device, and the wait for it") \
	CONSTRUCT(TARGET_DATA, "target data", \
	    WRITTEN(BLOCK, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, target_data, CONSTRUCT, TARGET), \
	    MEASURED(PLAIN, NOTHING), TRACED(DATA_TRANSFER, CODE, "block"), ADVISED(GENERAL), \
	    "mapping the data, the block on the host, and mapping back") \
	CONSTRUCT(TARGET_ENTER_DATA, "target enter data", \
	    WRITTEN(NONE, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, target_enter_data, CONSTRUCT, TARGET), \
	    MEASURED(PLAIN, NOTHING), TRACED(DATA_TRANSFER, CODE, "block"), ADVISED(GENERAL), \
	    "mapping the data") \
	CONSTRUCT(TARGET_EXIT_DATA, "target exit data", \
	    WRITTEN(NONE, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, target_exit_data, CONSTRUCT, TARGET), \
	    MEASURED(PLAIN, NOTHING), TRACED(DATA_TRANSFER, CODE, "block"), ADVISED(GENERAL), \
	    "mapping the data back") \
	CONSTRUCT(TARGET_UPDATE, "target update", \
	    WRITTEN(NONE, NEVER, ALONE, SAME_DATA, NULL), \
	    CALLED(AROUND, target_update, CONSTRUCT, TARGET), \
	    MEASURED(PLAIN, NOTHING), TRACED(DATA_TRANSFER, CODE, "block"), ADVISED(GENERAL), \
	    "the copies")

/*
 * Regions that are not constructs, with names that no directive has:
 *
 *   REGION(id, name, kind, role, about)
 *
 * CONSTRUCT_OTHER is not among them because it has no name.
 */
#define CONSTRUCT_REGIONS(REGION) \
	REGION(REGION, "region", PLAIN, CODE, "a region that the user begins and ends") \
	REGION(FUNCTION, "function", PLAIN, FUNCTION, "a function of the user") \
	REGION(REDUCTION, "reduction", PLAIN, CODE, \
	    "combining a thread's copies with the others', and the wait for threads that do") \
	REGION(MPI, "mpi", MPI, FUNCTION, "a function of MPI")

/*
 * Directives that get no calls; libpomp and the reports never see them:
 *
 *   PASSED(id, name, body, reason, inside)
 *
 *   reason  why it is passed through unchanged
 *   inside  as above
 *
 * Those that can follow a measured one come first: see FOLLOWED_BY.
 */
#define CONSTRUCTS_PASSED(PASSED) \
	/* Bodies that must stay as they are. */ \
	PASSED(SIMD, "simd", LOOP, CONSTRUCT_VECTORS, "inside 'simd': " CONSTRUCT_VECTORS) \
	PASSED(WORKDISTRIBUTE, "workdistribute", BLOCK, CONSTRUCT_NOT_HOST, \
	    "inside 'workdistribute': " CONSTRUCT_NOT_HOST) \
	PASSED(METADIRECTIVE, "metadirective", BLOCK, CONSTRUCT_VARIANT, \
	    "inside 'metadirective': " CONSTRUCT_VARIANT) \
	PASSED(BEGIN_METADIRECTIVE, "begin metadirective", BLOCK, CONSTRUCT_VARIANT, \
	    "inside 'metadirective': " CONSTRUCT_VARIANT) \
	PASSED(TASKGRAPH, "taskgraph", BLOCK, CONSTRUCT_RECORDED, \
	    "inside 'taskgraph': " CONSTRUCT_RECORDED) \
	PASSED(FUSE, "fuse", LOOP_SEQUENCE, "transforms its loops", NULL) \
	PASSED(INTERCHANGE, "interchange", LOOP, "transforms its loops", NULL) \
	PASSED(REVERSE, "reverse", LOOP, "transforms its loop", NULL) \
	PASSED(SPLIT, "split", LOOP, "transforms its loop", NULL) \
	PASSED(STRIPE, "stripe", LOOP, "transforms its loops", NULL) \
	PASSED(TILE, "tile", LOOP, "transforms its loops", NULL) \
	PASSED(UNROLL, "unroll", LOOP, "transforms its loop", NULL) \
	PASSED(DISPATCH, "dispatch", BLOCK, "selects a call", NULL) \
	PASSED(ASSUME, "assume", BLOCK, "states an assumption", NULL) \
	/* Nothing to measure. */ \
	PASSED(CANCEL, "cancel", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	PASSED(CANCELLATION_POINT, "cancellation point", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	PASSED(DEPOBJ, "depobj", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	PASSED(INTEROP, "interop", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	PASSED(SCAN, "scan", NONE, "separates the phases of its loop", NULL) \
	PASSED(ERROR, "error", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	PASSED(NOTHING, "nothing", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	PASSED(END_METADIRECTIVE, "end metadirective", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	PASSED(TASK_ITERATION, "task iteration", NONE, CONSTRUCT_AS_WRITTEN, NULL) \
	/* Declarations. */ \
	PASSED(ALLOCATE, "allocate", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(ALLOCATORS, "allocators", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(ASSUMES, "assumes", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(BEGIN_ASSUMES, "begin assumes", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(END_ASSUMES, "end assumes", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(DECLARE_SIMD, "declare simd", DECLARATION, CONSTRUCT_DECLARES, \
	    "inside 'declare simd': " CONSTRUCT_VECTORS) \
	PASSED(DECLARE_TARGET, "declare target", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(BEGIN_DECLARE_TARGET, "begin declare target", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(END_DECLARE_TARGET, "end declare target", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(DECLARE_REDUCTION, "declare reduction", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(DECLARE_INDUCTION, "declare induction", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(DECLARE_MAPPER, "declare mapper", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(DECLARE_VARIANT, "declare variant", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(BEGIN_DECLARE_VARIANT, "begin declare variant", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(END_DECLARE_VARIANT, "end declare variant", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(REQUIRES, "requires", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(THREADPRIVATE, "threadprivate", NONE, CONSTRUCT_DECLARES, NULL) \
	PASSED(GROUPPRIVATE, "groupprivate", NONE, CONSTRUCT_DECLARES, NULL)

/* clang-format on */

enum construct_id {
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about) CONSTRUCT_##id,
#define REGION(id, name, kind, role, about)                                    CONSTRUCT_##id,
#define PASSED(id, name, body, reason, inside)                                 CONSTRUCT_##id,
	CONSTRUCTS(CONSTRUCT) CONSTRUCT_COUNT, /* the number of measured constructs */
	CONSTRUCT_REGIONS_BEGIN = CONSTRUCT_COUNT,
	CONSTRUCT_REGION_BEFORE = CONSTRUCT_REGIONS_BEGIN - 1,
	CONSTRUCT_REGIONS(REGION) CONSTRUCT_OTHER, /* a name that is in no row */
	CONSTRUCTS_PASSED(PASSED) CONSTRUCT_END,
#undef PASSED
#undef REGION
#undef CONSTRUCT
};

/* A set of directives: the column `followers`, and any other set of them. */
#define CONSTRUCT_BIT(id) (UINT64_C(1) << CONSTRUCT_##id)

/* How a construct is measured, which determines what is known about it. */
enum construct_kind {
	CONSTRUCT_KIND_PLAIN, /* visits and time only */
	CONSTRUCT_KIND_PARALLEL,
	CONSTRUCT_KIND_BARRIER,   /* all of it is waiting */
	CONSTRUCT_KIND_TASK_WAIT, /* the same, plus the tasks executed meanwhile */
	CONSTRUCT_KIND_TASK,
	CONSTRUCT_KIND_MPI,      /* a call of MPI */
	CONSTRUCT_KIND_WORK,     /* every thread of the team executes it: work is compared */
	CONSTRUCT_KIND_SINGLE,   /* the same, and its work is a block */
	CONSTRUCT_KIND_CRITICAL, /* a block, a wait to enter it, and a lock */
	CONSTRUCT_KIND_ORDERED,  /* a block, and a wait to enter it */
};

/*
 * Returns whether every thread of the team executes it, so that their work can be compared each
 * time.
 */
static inline bool construct_is_shared_work(enum construct_kind kind)
{
	return kind == CONSTRUCT_KIND_WORK || kind == CONSTRUCT_KIND_SINGLE;
}

/*
 * Returns whether its body is a block that calls of its own report and that not every thread
 * executes each time.
 */
static inline bool construct_has_block(enum construct_kind kind)
{
	return kind == CONSTRUCT_KIND_SINGLE || kind == CONSTRUCT_KIND_CRITICAL ||
	       kind == CONSTRUCT_KIND_ORDERED;
}

/* Returns whether threads wait to enter its block. */
static inline bool construct_has_entry(enum construct_kind kind)
{
	return kind == CONSTRUCT_KIND_CRITICAL || kind == CONSTRUCT_KIND_ORDERED;
}

/* Returns whether all of it is waiting, so that it has no body. */
static inline bool construct_is_wait(enum construct_kind kind)
{
	return kind == CONSTRUCT_KIND_BARRIER || kind == CONSTRUCT_KIND_TASK_WAIT;
}

/* Returns the OpenMP name of any id; "other" for CONSTRUCT_OTHER. */
static inline const char *construct_name(enum construct_id id)
{
	static const char *const names[CONSTRUCT_END] = {
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about)                     \
	[CONSTRUCT_##id] = name,
#define REGION(id, name, kind, role, about)    [CONSTRUCT_##id] = name,
#define PASSED(id, name, body, reason, inside) [CONSTRUCT_##id] = name,
	    CONSTRUCTS(CONSTRUCT) CONSTRUCT_REGIONS(REGION) CONSTRUCTS_PASSED(PASSED)
#undef PASSED
#undef REGION
#undef CONSTRUCT
		[CONSTRUCT_OTHER] = "other",
	};

	return names[id];
}

/*
 * Returns the construct or region with this name, which need not be NUL-terminated. CONSTRUCT_OTHER
 * if there is none, which includes directives that get no calls.
 */
static inline enum construct_id construct_find(const char *name, size_t length)
{
	for (unsigned id = 0; id < CONSTRUCT_OTHER; id++) {
		const char *known = construct_name((enum construct_id)id);

		if (strncmp(known, name, length) == 0 && known[length] == '\0')
			return (enum construct_id)id;
	}
	return CONSTRUCT_OTHER;
}

/* Returns the kind of a construct, a region or CONSTRUCT_OTHER. */
static inline enum construct_kind construct_kind(enum construct_id id)
{
	static const unsigned char kinds[CONSTRUCT_OTHER + 1] = {
#define MEASURED(kind, waits) CONSTRUCT_KIND_##kind
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about)                     \
	[CONSTRUCT_##id] = measured,
#define REGION(id, name, kind, role, about) [CONSTRUCT_##id] = CONSTRUCT_KIND_##kind,
	    CONSTRUCTS(CONSTRUCT) CONSTRUCT_REGIONS(REGION)
#undef REGION
#undef CONSTRUCT
#undef MEASURED
		[CONSTRUCT_OTHER] = CONSTRUCT_KIND_PLAIN,
	};

	return (enum construct_kind)kinds[id];
}

/* Expands every column group of every row once: a missing column is an error here. */
#define WRITTEN(body, barrier, followers, data, inside) 1
#define CALLED(calls, stem, defined, group)             1
#define MEASURED(kind, waits)                           1
#define TRACED(role, block, word)                       (sizeof(word) > 1)
#define ADVISED(remedy)                                 1
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about)                     \
	+(sizeof(name) > 1 && written && called && measured && traced && advised &&                \
	    sizeof(about) > 1)
_Static_assert(0 CONSTRUCTS(CONSTRUCT) == CONSTRUCT_COUNT, "a row lacks a column");
#undef CONSTRUCT
#undef ADVISED
#undef TRACED
#undef MEASURED
#undef CALLED
#undef WRITTEN

#endif
