/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The regions of the process: what libpomp keeps of each descriptor, for longer than the
 * descriptor's own memory lives, and the locks behind criticals and lock routines.
 */
#ifndef REGION_H
#define REGION_H

#include "pomp.h"

#include "shared/code-names.h"
#include "shared/constructs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times in ticks. Of threads that have ended; threads alive are added on demand. */
struct pomp_region_total {
	uint64_t visits, time, self;
	uint64_t threads, body_min, body_sum, body_max;
	uint64_t barrier_wait, enter_wait, imbalance;
	uint64_t created, undeferred, create_time, longest; /* longest: one execution of a task */
};

/* Of a region that is known by the address of its code; texts are its own. */
struct pomp_code {
	struct code_place place;
	uint64_t lock_offset; /* see struct code_question */
	char *function;       /* NULL until a name is found; heap */
	bool named;           /* names were looked for, whether found or not */
};

/*
 * All fields are written under the process's lock and read-only once the region is published; but a
 * region with `code` gets its sub_name, file and lines when names are looked for, at the end.
 */
struct pomp_region {
	uint64_t id;                 /* dense from 1 */
	enum construct_id construct; /* what its name says */
	enum construct_kind kind;    /* of that construct */
	char *name, *sub_name, *file;
	char *path;      /* of the file, for the trace; NULL: the same */
	uint64_t filter; /* what of it is not measured: see POMP_FILTER_ALL */
	double scale;    /* see pomp_scale_evaluate() */
	int section_count;
	int begin_first, begin_last, end_first, end_last;
	struct pomp_lock *lock;         /* critical only */
	struct pomp_code *code;         /* NULL: an instrumented region */
	OMPRegDescr *descriptor;        /* NULL after its object was unloaded */
	struct pomp_region_total total; /* changes under the process's lock */
	struct pomp_counters *counters; /* the descriptor's data[3]; NULL: no metrics */
	uint64_t *counted;              /* of threads that have ended; as many as metrics */
};

struct pomp_regions {
	struct pomp_region **entry; /* entry[id - 1] */
	size_t count, capacity;
	size_t detached; /* how many have no descriptor any more */
	size_t left_out; /* how many a filter takes out */
	size_t by_code;  /* how many are known by the address of their code */
	size_t unknown;  /* how many have a name that is in no row of the list of constructs */
	const struct pomp_region *first_unknown; /* the first of these, NULL without one */
};

extern struct pomp_regions pomp_regions __attribute__((visibility("hidden")));

/*
 * Finds or makes the region of a descriptor and gives the descriptor its id (relaxed: who finds it
 * there looks for what belongs to it with the process's lock, or has done so before). `folder` is
 * the one in which the compiler ran, or NULL. Process lock held.
 */
struct pomp_region *pomp_region_register(OMPRegDescr *descriptor, const char *folder);

/*
 * Makes the region of a descriptor whose construct is at that place: the descriptor has a name, ""
 * as sub_name and file_name and no lines. The descriptor stays where it is for ever, and is
 * not registered a second time; the place is copied. NULL when memory ran out. `lock`: a
 * critical's, which is the same for all of its name. Process lock held.
 */
struct pomp_region *pomp_region_register_code(OMPRegDescr *descriptor,
    const struct code_place *place, uint64_t lock_offset, const void *lock);

/* Appends to the definitions log what the region is now. Process lock held. */
void pomp_region_define(const struct pomp_region *region);

/* Takes the descriptor's id back and forgets it. Process lock held. */
void pomp_region_detach(OMPRegDescr *descriptor);

/* The id of a descriptor, registering it if need be; 0 when memory ran out. Takes the process lock.
 */
uint64_t pomp_region_id_slow(OMPRegDescr *descriptor);

/* Writes all regions into the definitions log. Process lock held. */
void pomp_regions_define(void);

/* Sets all that it counted to zero (the child of a fork). Process lock held. */
void pomp_region_reset(struct pomp_region *region);

/* The region with that id, or NULL. Process lock held. */
struct pomp_region *pomp_region_find(uint64_t id);

#endif
