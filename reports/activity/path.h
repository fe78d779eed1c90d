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
 *
 * Processes of a program that are read one by one, by several readers at a time, have their threads
 * in parts of one path (path_new_part). All causes are of one process, and thus of one part, except
 * for what processes do to each other: that becomes known when all processes have been read. A wait
 * that may have ended so has the cause PATH_REMOTE, and remote-ends.h has what did end it.
 *
 * If several processes make a report, each has the threads that it read; all others are elsewhere,
 * and a walk goes on there (path_walker_go).
 *
 * Memory: 56 bytes for each thread, 24 bytes for 256 segments of a thread, 6 KiB for each thread
 * that may get more segments, and 1 MiB for each part besides what its spill keeps in memory.
 */
#ifndef PATH_H
#define PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote-ends.h"
#include "shared/hash-map.h"
#include "spill.h"
#include "timeline.h"

#define PATH_NONE   UINT32_MAX       /* no cause, no thread, no construct */
#define PATH_REMOTE (UINT32_MAX - 1) /* the cause of a wait, if any, is in remote-ends.h */

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
	uint64_t to;    /* of its last segment */
	uint64_t at;    /* where the spill has it */
	uint32_t size;  /* bytes */
	uint32_t count; /* of segments: PATH_SEGMENTS, except in the last piece */
};

struct path_lane {
	const struct path *part; /* which has its causes and what is packed; NULL: no segments */
	struct path_packed *packed;
	struct path_segment *segments; /* later segments; the last one may change */
	size_t packed_count, packed_room, count, room;
};

struct path {
	struct path_lane *lanes; /* by thread; those of a part are those of the whole path */
	size_t threads;
	size_t memory_max;
	bool is_part;
	struct path **parts; /* that were joined; freed with this path */
	size_t part_count, part_room;
	struct remote_ends *remote; /* NULL in a part */
	bool *elsewhere; /* by thread: another process of the report has it; NULL: none is */
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

/* A moment of a thread that a walk has come to. */
struct path_position {
	uint64_t time;
	uint64_t jumps; /* to other threads, in a row, that took no time */
	uint32_t thread;
};

/*
 * memory_max: how many bytes of packed segments and causes may stay in memory; a fourth of that may
 * be ends of remote-ends.h in addition.
 */
struct path *path_new(size_t threads, size_t memory_max);
void path_free(struct path *path);

/*
 * A part of the path, for a reader that has up to one of so many shares of its memory. At any time,
 * a thread gets segments through one part only, and the whole path is used only when all of its
 * parts are joined, which takes them over.
 */
struct path *path_new_part(const struct path *whole, size_t shares);
void path_join(struct path *whole, struct path *part);

/* The thread gets no more segments and ends: packs the rest. */
void path_close_thread(struct path *path, uint32_t thread);

/* The thread did this until `to` (ticks), from the end of what was added before. */
void path_add(
    struct path *path, uint32_t thread, enum activity activity, uint32_t construct, uint64_t to);

/* Creates a cause. Returns PATH_NONE, which the other functions ignore, if no number is left. */
uint32_t path_new_cause(struct path *path, uint32_t thread, uint64_t at, uint32_t construct);

/* The cause, which may be changed until the next call; NULL if there is none. */
struct path_cause *path_cause(struct path *path, uint32_t cause);

/*
 * If the thread's last activity was this one and lasted until now, the cause ended it. Returns
 * whether it was; if another cause has ended it, it was not.
 */
bool path_end_wait(
    struct path *path, uint32_t thread, enum activity activity, uint64_t now, uint32_t cause);

/*
 * Walks back from the position until `start` or to a thread that is elsewhere, which becomes the
 * position. Visits the steps of the path, the last one first. One walker can walk several times.
 */
struct path_walker;
struct path_walker *path_walker_new(const struct path *path);
void path_walker_free(struct path_walker *walker);
void path_walker_go(struct path_walker *walker, struct path_position *position, uint64_t start,
    void (*visit)(void *context, const struct path_step *step), void *context);

/* The same for the path that ends at `end` on the thread, if all of it is here. */
void path_walk(const struct path *path, uint32_t thread, uint64_t start, uint64_t end,
    void (*visit)(void *context, const struct path_step *step), void *context);

/*
 * Visits the waits of a thread that is here and that others ended, in the order of their ends, with
 * their causes.
 */
void path_for_each_end(const struct path *path, uint32_t thread,
    void (*visit)(void *context, const struct path_segment *wait, const struct path_cause *cause),
    void *context);

#endif
