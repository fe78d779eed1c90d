/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Origins: where a thread forked a team or created a task, with its call path there. The samples of
 * the team's threads continue in that path, so on every thread the path begins where the program
 * does.
 *
 * Reading a path takes microseconds, so an event looks for an origin that it found before. Such an
 * origin is valid if the event has the same stack frame and was called from the same place, and if
 * all return addresses of the callers, which lie in the stack, are the same: the same code with the
 * same stack pointer has its caller's return address in the same place, and so on outwards. Where a
 * function has a frame pointer, its frame may have any size; so frame pointers that lie in the
 * stack are compared, too.
 *
 * Who sees what: only events of the owner look for and make origins. An origin is never freed and
 * changes only in its counts, so any thread that got it with its team, and its signal handler, may
 * read it. Who reads all of them loads `complete` (acquire), which the owner stores (release) when
 * an origin is complete; counts may be slightly old (relaxed).
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "path-tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_origins;

struct pomp_origin {
	const struct pomp_origins *owner;
	uint64_t path;          /* its node in the owner's tree: pomp_path_joined() */
	uint64_t stack_pointer; /* the owner's frames from there on are part of the path */

	/* By what it is found. */
	const uintptr_t *frame;
	uintptr_t caller_frame; /* 0: not a frame pointer, so that it may have any value */
	uintptr_t caller;
	uint64_t outer;  /* the path in which this one continues, or 0 */
	uint64_t region; /* of the team */
	uint64_t python; /* pomp_python_state(); Python's frames do not show in the stack */
	const struct pomp_origin *next;
	uint32_t later; /* how many follow in the bucket */
	/* Teams that were forked there and have ended, and their time; the owner adds to them. */
	_Atomic uint64_t teams, ticks;
	uint32_t count;
	struct pomp_stack_word word[];
};

/* That of a team whose origin was not read. */
extern const struct pomp_origin pomp_origin_unknown __attribute__((visibility("hidden")));

enum { POMP_ORIGIN_BUCKETS = 256 };

/* The creation of a task; the number is 0 while the origin changes. */
struct pomp_task_origin {
	_Atomic uint64_t number;
	_Atomic(const struct pomp_origin *) origin;
};

enum { POMP_ORIGIN_TASKS = 4096 }; /* the latest of a thread that are known */

/* The origins of one thread. */
struct pomp_origins {
	struct pomp_task_origin task[POMP_ORIGIN_TASKS]; /* by the number's lowest bits */
	_Atomic(const struct pomp_origin *) latest_task; /* of the latest task that has one */
	const struct pomp_origin *bucket[POMP_ORIGIN_BUCKETS];
	struct pomp_path_tree *tree;
	size_t used;             /* bytes of the memory behind this one */
	_Atomic size_t complete; /* up to there origins may be read by other threads */
	uint64_t begin, spent;   /* ticks: of the first search, and in reading paths since then */
	struct pomp_stack_words words; /* of the path that is being read */
};

/* Returns NULL when memory ran out. The memory is mapped, and used as far as there are origins. */
struct pomp_origins *pomp_origins_new(void);

/* Forgets what depends on the stack: another thread goes on with these origins. */
void pomp_origins_forget(struct pomp_origins *origins);

/*
 * Counts a team that has ended, if frames of Python are in its origin's path. An origin that is
 * another thread's, or none (NULL), is left alone.
 */
void pomp_origin_count(
    struct pomp_origins *origins, const struct pomp_origin *origin, uint64_t ticks);

/* Returns the origin that was made after that one, NULL: the first; NULL: there is none. */
const struct pomp_origin *pomp_origin_after(
    const struct pomp_origins *origins, const struct pomp_origin *origin);

/* Forgets what was counted: the process is a child that measures anew. */
void pomp_origins_reset(struct pomp_origins *origins);

/* Where an event is reported. */
struct pomp_event_place {
	const uintptr_t *frame; /* __builtin_frame_address(0) in the event's function */
	uintptr_t
	    caller; /* return address of the program's call of a runtime; 0: it called that one */
};

/* In what a thread's path continues outwards. */
struct pomp_path_base {
	const struct pomp_origin *origin; /* NULL: in nothing */
	uint64_t limit; /* stack pointer: callers from there on are part of the origin's path */
};

/*
 * Returns the origin of an event of the thread with that stack. outer: in what the thread's own
 * path continues. NULL: the path could not be read, there is no room, or reading paths has taken
 * more than about one percent of the time.
 */
const struct pomp_origin *pomp_origin_find(struct pomp_origins *origins, struct unwind_stack stack,
    struct pomp_event_place place, struct pomp_path_base outer, uint64_t region);

#endif
