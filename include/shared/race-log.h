/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between `ompinst race run`, the library that it preloads into the program
 * (ompinst-race.so), and the OpenMP runtime.
 *
 * `ompinst race run` starts the program several times. Each time it sets the variable RACE_VARIABLE
 * to words of the form KEY=VALUE, separated by commas:
 *
 *   seed=N      the order that is forced on threads and tasks if OpenMP leaves it open; 0: none,
 *               the natural order
 *   strands=1   a task is a strand of execution of its own, whichever thread executes it: only the
 *               task graph orders it with others. 0: the program order of the executing thread
 *               does, too
 *   chunk=N     the chunk of loops that may be divided otherwise (loop-schedule.h). 0: none, so
 *               that each thread has one part
 *   memory=1    the program has AddressSanitizer or MemorySanitizer: there are no strands, but
 *               orders are forced, and a task's memory is not used again for another one
 *   asks=1      each process that ThreadSanitizer is in begins its log at once
 *   log=FOLDER  each process that has something to report writes it to FOLDER/PID (no comma in
 *               FOLDER's path)
 *
 * A log is text with one fact per line; tabs separate the words of a line:
 *
 *   ompinst-race 1        first line: the version of the format
 *   program PATH          the executable
 *   race                  begins a report; RACE_END ends it
 *   access WHAT KIND SIZE ADDRESS THREAD STRAND
 *                         exactly two, the later one first. WHAT: read or write; KIND: plain or
 *                         atomic; SIZE: bytes; ADDRESS: hexadecimal; THREAD: the runtime's number
 *                         of the native thread within the process; threads unknown to the runtime
 *                         have numbers from RACE_OTHER_THREADS on; STRAND: thread, task, team
 *                         or lane: what executed the code
 *   frame OFFSET MODULE   the call stack of the access, innermost first; OFFSET: hexadecimal, in
 *                         the file MODULE, of the following instruction. No frames: the stack was
 *                         forgotten
 *   place KIND START SIZE OFFSET MODULE
 *                         the object: global, heap, stack, tls or unknown; OFFSET and MODULE for a
 *                         global, else 0 and -; if START is 0, the OFFSET of a global is that of
 *                         the later access
 *   frame OFFSET MODULE   after it: where heap memory was allocated
 *   end
 *   order COUNT STATE     begins a cycle of COUNT locks, of which each thread holds one and waits
 *                         for the next; 1: the thread holds the lock for which it waits. RACE_END
 *                         ends it. STATE: closed if all of them wait, and the process was ended;
 *                         else -: they could wait
 *   wait KIND ADDRESS THREAD
 *                         COUNT times: the lock for which a thread waits, which is what the next
 *                         one holds. KIND: lock, nest, critical or mutex; THREAD: a number of the
 *                         native thread within the process, other than that of `access`
 *   frame OFFSET MODULE   where it waits
 *   held                  what it holds, which is what the one before waits for
 *   frame OFFSET MODULE   where it took that; some outer frames at most
 *   place ...             as above: the object that is the lock, or contains it
 *   frame OFFSET MODULE
 *   end
 *   edge NUMBER WANTED HELD GATES
 *                         begins an order, in which one lock was wanted while another one was
 *                         held, for the comparison with orders of other runs. NUMBER: its own,
 *                         from 0; then the names of both locks, and of all that were held, with a
 *                         space between two: hexadecimal, the same in each run; 1: not known
 *   wait, held, place     once, as of a cycle
 *   end
 *   at NUMBER REGION PHASE THREAD SIZE SINGLE CLEAN TASKS
 *                         where the order occurred, see struct team_position. TASKS: WAITS.NUMBER
 *                         of each level, the outermost one first, with a space between two; or -
 *   edges full            there were more orders than the library remembers
 *
 * A reader must skip other lines (from later versions). If the last line of the last report is
 * missing, the process was killed meanwhile.
 */
#ifndef SHARED_RACE_LOG_H
#define SHARED_RACE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RACE_VARIABLE "OMPINST_RACE"
#define RACE_VERSION  "ompinst-race 1"

#define RACE_SEED    "seed"
#define RACE_STRANDS "strands"
#define RACE_CHUNK   "chunk"
#define RACE_MEMORY  "memory"
#define RACE_ASKS    "asks"
#define RACE_LOG     "log"

#define RACE_PROGRAM "program"
#define RACE_REPORT  "race"
#define RACE_ACCESS  "access"
#define RACE_FRAME   "frame"
#define RACE_PLACE   "place"
#define RACE_END     "end"

#define RACE_ORDER  "order"
#define RACE_WAIT   "wait"
#define RACE_HELD   "held"
#define RACE_CLOSED "closed"
#define RACE_EDGE   "edge"
#define RACE_AT     "at"
#define RACE_EDGES  "edges"
#define RACE_FULL   "full"

#define RACE_KIND_LOCK     "lock"
#define RACE_KIND_NEST     "nest"
#define RACE_KIND_CRITICAL "critical"
#define RACE_KIND_MUTEX    "mutex"

#define RACE_STRAND_THREAD "thread"
#define RACE_STRAND_TASK   "task"
#define RACE_STRAND_TEAM   "team"
#define RACE_STRAND_LANE   "lane"

/*
 * The name that ThreadSanitizer gets for a thread of the runtime or a strand: thread number,
 * strand.
 */
#define RACE_STRAND_NAME "omp %u %s"

#define RACE_OTHER_THREADS 1000000

/*
 * Returns the value of KEY= among the words; it ends at a comma or at the end. NULL: there is none.
 */
static inline const char *race_find_word(const char *words, const char *key)
{
	size_t length = strlen(key);

	for (const char *word = words; word != NULL; word = strchr(word, ',')) {
		word += *word == ',';
		if (strncmp(word, key, length) == 0 && word[length] == '=')
			return word + length + 1;
	}
	return NULL;
}

/*
 * What the runtime tells the library about locks and about what orders the program, so that the
 * library finds locks that threads take in opposite orders. The functions are weak: in any other
 * process they are null.
 *
 * A lock has an identity, an address that stands for it: that of its variable, or another one for
 * each team of a league, which locks do not order. `caller`: where the program called.
 */
enum race_lock_kind {
	RACE_LOCK_SIMPLE, /* omp_lock_t */
	RACE_LOCK_NEST,   /* omp_nest_lock_t, at the first of several nested calls */
	RACE_LOCK_CRITICAL,
	RACE_LOCK_MUTEX, /* pthread_mutex_t, which the library sees by itself */
	RACE_LOCK_KINDS
};

struct race_lock {
	const void *identity, *variable, *caller;
	enum race_lock_kind kind;
};

#define RACE_HOOK __attribute__((weak, visibility("default")))

/*
 * Order that does not depend on which thread is faster: what was done before a release at an object
 * comes before what follows an acquire of it, until the object is forgotten. Locks do not count.
 */
RACE_HOOK void ompinst_race_release(const void *object);
RACE_HOOK void ompinst_race_acquire(const void *object);
RACE_HOOK void ompinst_race_forget(const void *object);

/* Before the calling thread may wait for the lock, when it has it, and before it gives it back. */
RACE_HOOK void ompinst_race_lock_wanted(const struct race_lock *lock);
RACE_HOOK void ompinst_race_lock_taken(const struct race_lock *lock);
RACE_HOOK void ompinst_race_lock_given(const void *identity);

/* A lock begins or ends at the address: what was known of an earlier one there is not its. */
RACE_HOOK void ompinst_race_lock_new(const void *identity);

enum { RACE_TASK_LEVELS = 6 };

/*
 * Where a thread is in the structure of the program, by numbers that are the same in each run as
 * far as the program does the same. Two positions are concurrent if they are in one region and
 * phase, differ first at a level (0: the team's thread; then tasks, each in the one before) at
 * which nothing orders them, and from there inwards neither has acquired anything.
 */
struct team_position {
	uint64_t region; /* the innermost active one, by code and number; 0: not known */
	uint32_t phase;  /* barriers before */
	uint32_t thread, size;
	uint32_t single; /* the last single or section of the phase that it executes, or 0 */
	uint32_t depth;  /* of explicit tasks, or threads that the program has made */
	struct {
		uint32_t waits, number; /* acquired before by what made it; how many it had made */
	} tasks[RACE_TASK_LEVELS];
	uint32_t clean; /* bit i: at level i nothing was acquired before, since the phase's begin */
	/* The position's own, for those of tasks and regions below it. */
	uint32_t waits, made, forks, singles; /* singles: and sections constructs, all of them */
	uint32_t is_new;                      /* the next acquire is of what made it */
};

/*
 * The runtime notes the position of the calling thread. A region's forking thread asks for its
 * name; each member, if there are several, calls enter and leave, and phase after a barrier. made:
 * a new task gets its position, with which the thread that executes it calls begin and end.
 */
RACE_HOOK uint64_t ompinst_race_fork(const void *code);
RACE_HOOK void ompinst_race_enter(uint64_t region, uint32_t thread, uint32_t size);
RACE_HOOK void ompinst_race_leave(void);
RACE_HOOK void ompinst_race_phase(void);
RACE_HOOK void ompinst_race_single(bool executes); /* at the begin of sections: false */
RACE_HOOK void ompinst_race_section(uint32_t number);
RACE_HOOK void ompinst_race_task_made(struct team_position *task);
RACE_HOOK void ompinst_race_task_begin(const struct team_position *task);
RACE_HOOK void ompinst_race_task_end(void);

#endif
