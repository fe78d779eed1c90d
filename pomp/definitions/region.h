/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The regions of the process: libpomp's copy of each descriptor, which outlives the descriptor's
 * own memory, and the locks of criticals and lock routines.
 */
#ifndef REGION_H
#define REGION_H

#include "pomp.h"

#include "shared/code-names.h"
#include "shared/constructs.h"
#include "thread-usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times in ticks. Sums over threads that have ended; threads alive are added on demand. */
struct pomp_region_total {
	uint64_t visits, time, self;
	uint64_t threads, body_min, body_sum, body_max;
	uint64_t barrier_wait, enter_wait, imbalance;
	uint64_t created, undeferred, create_time, longest; /* longest: one execution of a task */
	uint64_t figures[POMP_FIGURES];
};

/* For a region that is identified by the address of its code; it owns the texts. */
struct pomp_code {
	struct code_place place;
	uint64_t lock_offset; /* see struct code_question */
	char *function;       /* NULL until a name is found; heap */
	bool named;           /* names were looked for, whether or not any was found */
};

/*
 * All fields are written under the process lock and are read-only once the region is published.
 * Exceptions: what a filter leaves out, and that a region with `code` gets its sub_name, file and
 * lines when names are looked for, at the end.
 */
struct pomp_region {
	uint64_t id;                 /* dense from 1 */
	enum construct_id construct; /* from its name */
	enum construct_kind kind;    /* of that construct */
	char *name, *sub_name, *file;
	char *path; /* of the file, for the trace; NULL: the same */
	/*
	 * What is not measured now: see POMP_FILTER_ALL. Threads take it over where nothing of the
	 * region is open: see pomp_accumulator_filter(). Written under the process lock, also while
	 * the program runs; relaxed: settings-change.h says who sees which value.
	 */
	_Atomic uint64_t filter;
	_Atomic uint64_t
	    shortest; /* ticks, of visits in a trace, as of the latest filter that had it */
	_Atomic uint32_t was_left_out; /* bool: at some time, all of it */
	double scale;                  /* see pomp_scale_evaluate() */
	int section_count;
	int begin_first, begin_last, end_first, end_last;
	struct pomp_lock *lock;         /* only for a critical */
	struct pomp_code *code;         /* NULL: an instrumented region */
	OMPRegDescr *descriptor;        /* NULL after its object was unloaded */
	struct pomp_region_total total; /* changes under the process's lock */
	struct pomp_counters *counters; /* the descriptor's data[3]; NULL: no metrics */
	uint64_t *counted;              /* in threads that have ended; one value per metric */
};

struct pomp_regions {
	struct pomp_region **entry; /* entry[id - 1] */
	size_t count, capacity;
	size_t detached; /* how many no longer have a descriptor */
	size_t left_out; /* how many the filter removes now ... */
	size_t filters;  /* ... which has changed so often */
	size_t by_code;  /* how many are identified by the address of their code */
	size_t unknown;  /* how many have a name that is not in the list of constructs */
	const struct pomp_region *first_unknown; /* the first of these, or NULL */
};

extern struct pomp_regions pomp_regions __attribute__((visibility("hidden")));

/*
 * Finds or makes the region of a descriptor and stores its id in the descriptor. That is relaxed: a
 * thread that finds the id there gets the region under the process lock, or has done so before.
 * `folder` is the folder in which the compiler ran, or NULL. Process lock held.
 */
struct pomp_region *pomp_region_register(OMPRegDescr *descriptor, const char *folder);

/*
 * Makes the region of a descriptor whose construct is at that place in the code. The descriptor has
 * a name, "" as sub_name and file_name, and no lines. It must stay valid forever and is not
 * registered again; the place is copied. NULL when memory ran out. `lock`: for a critical, the same
 * for all criticals with its name. Process lock held.
 */
struct pomp_region *pomp_region_register_code(OMPRegDescr *descriptor,
    const struct code_place *place, uint64_t lock_offset, const void *lock);

/* Appends the current state of the region to the definitions log. Process lock held. */
void pomp_region_define(const struct pomp_region *region);

/* Clears the descriptor's id and detaches its region. Process lock held. */
void pomp_region_detach(OMPRegDescr *descriptor);

/*
 * Returns the id of a descriptor, registering it if necessary; 0 when memory ran out. Takes the
 * process lock.
 */
uint64_t pomp_region_id_slow(OMPRegDescr *descriptor);

/* Applies the filter to all regions again: its rules have changed. Process lock held. */
void pomp_regions_filter(void);

/* Writes all regions into the definitions log. Process lock held. */
void pomp_regions_define(void);

/* Sets everything that it counted to zero (in the child of a fork). Process lock held. */
void pomp_region_reset(struct pomp_region *region);

/* Returns the region with that id, or NULL. Process lock held. */
struct pomp_region *pomp_region_find(uint64_t id);

#endif
