/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A debugger without a process: an image of a target's memory, laid out by the shared list of
 * fields in any pointer width and byte order, and callbacks that read it. They count, can be made
 * to fail, and notice what the library may not do.
 */
#ifndef FAKE_TARGET_H
#define FAKE_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "omp-tools.h"

enum { IMAGE_BYTES = 1 << 17, IMAGE_BASE = 0x10000, SLAB_BLOCKS = 5 };

/* How the target's numbers look. */
struct fake_shape {
	const char *name;
	uint8_t pointer_bytes;
	bool is_big_endian;
};

/* Either width and either byte order. */
enum { FAKE_SHAPES = 4 };
extern const struct fake_shape fake_shapes[FAKE_SHAPES];

/* One image; the debugger's context is a pointer to it. */
struct fake_target {
	struct fake_shape shape;
	unsigned char memory[IMAGE_BYTES];
	uint64_t used; /* of memory */
	uint64_t table;
	/* Records of the scene; see fake_target_make(). */
	uint64_t process, list, main_thread, worker, idler;
	uint64_t initial_team, team, idle_team, implicit[2], initial_task, explicit_task;
	uint64_t ready, blocked, detached, range; /* tasks in the slab of main_thread */
	uint64_t slab_chunk, lock, door;
	uint64_t request; /* of the region: an address in the stack of the caller of its body */
	uint64_t closed;  /* the end of a list of dependences */
};

/* What the library did since the last fake_reset(). */
struct fake_record {
	long calls;        /* of callbacks that can fail */
	long fail_at;      /* the call of this number fails; 0: none */
	bool stays;        /* and so do all after it */
	ompd_rc_t failure; /* with this code */
	long lookups, reads;
	long live_blocks; /* given and not yet freed; fake_reset() leaves it */
	uint64_t largest_read, largest_block;
	const char *fault; /* what the library may not do */
	uint32_t ended;    /* the kernel's number of a thread that is not there any more, 0: none */
};

extern struct fake_record fake;
extern const ompd_callbacks_t fake_callbacks;

void fake_reset(void);

/*
 * Makes the scene: the initial thread forked a region of two at level 1; number 0 executes an
 * explicit task above its implicit one, number 1 waits for a lock, which number 0 holds; a third
 * thread is a worker of a team whose region has ended. Three more tasks have not begun, or wait for
 * an event, and seven of a taskloop are queued together.
 */
void fake_target_make(struct fake_target *target, struct fake_shape shape);

enum {
	REGION_FUNCTION = 0x4440,
	TASK_FUNCTION = 0x4480,
	QUEUED_FUNCTION = 0x44c0,
	QUEUED_SITE = 0x4444, /* before its function */
	RANGE_FUNCTION = 0x7600,
	UNNAMED_CRITICAL = 0x7700,
	ATOMIC_FALLBACK = 0x7708,
	WORKER_FRAME = 0x9200,
	TASK_FRAME = 0x9300
};
/* Native numbers: MAIN_ID + 0, 1, 2 by thread; the kernel's are + 100. */
enum { MAIN_ID = 0x5500 };

/* The number at a member of a record, for tests that change it. */
void fake_put(struct fake_target *target, uint64_t record, const char *field, uint64_t value);

/* The thread's task waits for an object like a lock; 0: it does not wait any more. */
void fake_wait(struct fake_target *target, uint64_t thread, uint64_t task, uint64_t lock);

#endif
