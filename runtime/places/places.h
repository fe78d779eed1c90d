/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places (OpenMP 5.1, 2.6.2 and 6.5): the list, made once from the environment, and the rules by
 * which the members of a team are distributed over it.
 */
#ifndef RT_PLACES_H
#define RT_PLACES_H
#include "processors.h"
#include "text.h"

/* Where sysfs describes the processors. */
#define RT_SYSFS "/sys/devices/system"

/* The place list (OpenMP 5.1, 6.5): count masks of mask_bytes each, one after the other. */
struct rt_places {
	unsigned long *masks;
	size_t mask_bytes; /* as sched_setaffinity() takes it, a multiple of sizeof(long) */
	uint32_t count;    /* 0: no places, nothing is bound */
};

/* The values of omp_proc_bind_t. */
enum rt_bind {
	RT_BIND_FALSE = 0,
	RT_BIND_TRUE = 1,
	RT_BIND_PRIMARY = 2,
	RT_BIND_CLOSE = 3,
	RT_BIND_SPREAD = 4
};

/* Where one thread runs: its place, and the partition over which its own teams are distributed. */
struct rt_placement {
	uint32_t place;
	uint32_t partition_first, partition_length;
};

/*
 * Makes the place list from the text of OMP_PLACES. Keeps only processors of the set `usable`;
 * leaves out places without such processors and counts them in *dropped. Returns false, and leaves
 * *places unchanged, if the text is no place list, if no place is left, or if there is no memory.
 */
bool rt_places_parse(struct rt_places *places, const char *text, const char *sysfs,
    const struct rt_processors *usable, uint32_t *dropped);

/* The same for GOMP_CPU_AFFINITY's list of processors: one place each. */
bool rt_places_parse_affinity(struct rt_places *places, const char *text,
    const struct rt_processors *usable, uint32_t *dropped);

/* Frees the masks; the list is empty then. */
void rt_places_finish(struct rt_places *places);

/* Appends the place list as OMP_DISPLAY_ENV shows it: {0:2},{4,6}. */
void rt_places_print(const struct rt_places *places, struct rt_text *out);

/* Appends a set as the affinity format's %A shows it: 0-1,4. */
void rt_processors_print(const struct rt_processors *set, struct rt_text *out);

/* The set of one place; the words still belong to the list. */
struct rt_processors rt_places_get(const struct rt_places *places, uint32_t place);

/*
 * The placement of member `number` of a team of `size` threads whose primary thread is placed as
 * given (OpenMP 5.1, 2.6.2). Member 0 keeps the primary thread's place. Each member can compute it
 * for itself: it touches no state.
 */
void rt_place_member(struct rt_placement *member, const struct rt_placement *primary, uint32_t size,
    uint32_t number, enum rt_bind bind);

#endif
