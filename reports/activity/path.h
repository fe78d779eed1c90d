/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The critical path through a trace: the sequence of activities that the wall time was spent on. It
 * leads from the end of the program backwards along what a thread did; if that thread waited, it
 * continues from the end of the wait along the thread that ended it. Everything else had time to
 * spare. The path has no gaps and no overlaps, so its times add up to the wall time.
 *
 * The caller tells what each thread did (path_add) and what ended its waits (path_end_wait); this
 * code does not know the events behind it. It keeps everything until the walk: all but the latest
 * of each thread in few bytes (packed.h), and beyond a limit in a temporary file (spill.h).
 */
#ifndef PATH_H
#define PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/hash-map.h"
#include "spill.h"
#include "timeline.h"

#define PATH_NONE UINT32_MAX /* no cause, no thread, no construct */

/* An action of a thread that ends waits. It may become known after a wait that it ends. */
struct path_cause {
	uint64_t at;
	uint32_t thread;    /* PATH_NONE: unknown */
	uint32_t construct; /* for a fork or join: what idle threads wait for */
	uint32_t arrived;   /* for a barrier: number of threads that have arrived */
};

/* What a thread did since its previous segment. */
struct path_segment {
	uint64_t to;
	uint32_t construct, cause;
	enum activity activity;
};

enum {
	PATH_SEGMENTS = 256, /* number of segments of a thread that are packed together */
	PATH_CAUSES = 2048,  /* the same for the causes of all threads */
	PATH_RECENT = 16     /* number of unpacked groups of PATH_CAUSES causes */
};

struct path_packed {
	uint64_t to; /* of its last segment */
	struct spill_piece piece;
};

struct path_lane {
	struct path_packed *packed;    /* PATH_SEGMENTS each */
	struct path_segment *segments; /* later segments; the last one may change */
	size_t packed_count, packed_room, count, room;
};

struct path {
	struct path_lane *lanes; /* by thread */
	size_t threads;
	size_t cause_count;
	/* PATH_CAUSES each; group n is in n % PATH_RECENT. */
	struct path_cause *recent[PATH_RECENT];
	struct spill_piece *packed; /* the groups before */
	size_t packed_count, packed_room;
	/* Packed causes that changed later: number of the cause to its index in `changed`. */
	struct map changed_of;
	struct path_cause *changed;
	size_t changed_count, changed_room;
	struct spill *spill;
	unsigned char *bytes; /* for packing */
};

/* A piece of the path. */
struct path_step {
	uint64_t from, to;
	uint32_t thread, construct;
	enum activity activity;
	/* The thread on which the path continues (backwards); PATH_NONE: the same thread. */
	uint32_t ended_by;
	uint64_t waited; /* before `from`, until ended_by ended the wait; not on the path */
};

/* memory_max: how many bytes of packed segments and causes may stay in memory. */
struct path *path_new(size_t threads, size_t memory_max);
void path_free(struct path *path);

/* The thread did this until `to` (ticks), from the end of what was added before. */
void path_add(
    struct path *path, uint32_t thread, enum activity activity, uint32_t construct, uint64_t to);

/* Creates a cause. Returns PATH_NONE, which the other functions ignore, if no number is left. */
uint32_t path_new_cause(struct path *path, uint32_t thread, uint64_t at, uint32_t construct);

/* The cause, which may be changed until the next call; NULL if there is none. */
struct path_cause *path_cause(struct path *path, uint32_t cause);

/* If the thread's last activity was this one and lasted until now, the cause ended it. */
void path_end_wait(
    struct path *path, uint32_t thread, enum activity activity, uint64_t now, uint32_t cause);

/* Visits the steps of the path that ends at `end` on the thread, the last step first. */
void path_walk(const struct path *path, uint32_t thread, uint64_t start, uint64_t end,
    void (*visit)(void *context, const struct path_step *step), void *context);

/* Visits the thread's waits that others ended, in the order of their ends, with their causes. */
void path_for_each_end(const struct path *path, uint32_t thread,
    void (*visit)(void *context, const struct path_segment *wait, const struct path_cause *cause),
    void *context);

#endif
