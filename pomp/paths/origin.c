/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the paths of events once for each place and stack. */
#include "origin.h"

#include "process-state.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Virtual memory for a thread's origins, mostly some 200 bytes each. */
#define ROOM (1 << 20)

/* Origins that an event compares at most; then the bucket begins anew. */
#define MOST_COMPARED 16

/* Reading may take this part of the time, and at first that many ticks: half a millisecond or so.
 */
#define SPENT_PART  256
#define SPENT_FIRST (UINT64_C(1) << 21)

/* Ticks: when it takes longer, the thread has lost its processor. */
#define TAKES_MOST (UINT64_C(1) << 16)

const struct pomp_origin pomp_origin_unknown = {.path = POMP_PATH_TOO_DEEP};

static struct pomp_origins *map_origins(void)
{
	struct pomp_origins *origins = mmap(
	    NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (origins == MAP_FAILED)
		return NULL;
	origins->tree = pomp_path_tree_new();
	origins->used = sizeof(*origins);
	store_relaxed(&origins->complete, sizeof(*origins));
	origins->begin = pomp_clock_ticks(&pomp_process.clock);
	return origins;
}

struct pomp_origins *pomp_origins_new(void)
{
	int error = errno;
	struct pomp_origins *origins = map_origins();

	if (origins != NULL && origins->tree == NULL) {
		munmap(origins, ROOM);
		origins = NULL;
	}
	if (origins != NULL)
		pomp_path_tree_begin(origins->tree);
	errno = error;
	return origins;
}

void pomp_origins_forget(struct pomp_origins *origins)
{
	memset(origins->bucket, 0, sizeof(origins->bucket));
	store_relaxed(&origins->latest_task, NULL);
}

static size_t place_of(const struct pomp_origins *origins, const struct pomp_origin *origin)
{
	return (size_t)((const char *)origin - (const char *)origins);
}

/* Returns the origin as its owner may change it. */
static struct pomp_origin *own_origin(
    struct pomp_origins *origins, const struct pomp_origin *origin)
{
	return (struct pomp_origin *)((char *)origins + place_of(origins, origin));
}

void pomp_origin_count(
    struct pomp_origins *origins, const struct pomp_origin *origin, uint64_t ticks)
{
	if (origin == NULL || origin->owner != origins || origin->python == 0)
		return;
	struct pomp_origin *own = own_origin(origins, origin);
	store_relaxed(&own->teams, load_relaxed(&own->teams) + 1);
	store_relaxed(&own->ticks, load_relaxed(&own->ticks) + ticks);
}

const struct pomp_origin *pomp_origin_after(
    const struct pomp_origins *origins, const struct pomp_origin *origin)
{
	size_t place = sizeof(*origins);

	if (origin != NULL)
		place = place_of(origins, origin) + sizeof(*origin) +
			origin->count * sizeof(*origin->word);
	return place < load_acquire(&origins->complete)
		   ? (const struct pomp_origin *)((const char *)origins + place)
		   : NULL;
}

void pomp_origins_reset(struct pomp_origins *origins)
{
	const struct pomp_origin *origin = NULL;

	while ((origin = pomp_origin_after(origins, origin)) != NULL) {
		store_relaxed(&own_origin(origins, origin)->teams, 0);
		store_relaxed(&own_origin(origins, origin)->ticks, 0);
	}
}

static size_t bucket_of(const uintptr_t *frame, uintptr_t caller)
{
	return ((uintptr_t)frame >> 4 ^ caller) % POMP_ORIGIN_BUCKETS;
}

/* Puts the origin first into its bucket. */
static void insert(struct pomp_origins *origins, struct pomp_origin *origin)
{
	const struct pomp_origin **bucket =
	    &origins->bucket[bucket_of(origin->frame, origin->caller)];
	const struct pomp_origin *first = *bucket;

	if (first != NULL && first->later + 2 <= MOST_COMPARED) {
		origin->next = first;
		origin->later = first->later + 1;
	}
	*bucket = origin;
}

/* Makes an origin in the memory that is left; NULL: there is no room. */
static struct pomp_origin *make(struct pomp_origins *origins, size_t path_count)
{
	const struct pomp_stack_words *words = &origins->words;
	size_t bytes = sizeof(struct pomp_origin) + words->count * sizeof(*words->word);

	if (bytes > ROOM - origins->used)
		return NULL;
	uint32_t node = pomp_path_tree_add(origins->tree, origins->tree->path.word, path_count);
	if (node == 0)
		return NULL;
	struct pomp_origin *origin = (struct pomp_origin *)((char *)origins + origins->used);
	origins->used += bytes;
	origin->owner = origins;
	origin->path = pomp_path_joined(origins->tree->number, node);
	origin->count = (uint32_t)words->count;
	memcpy(origin->word, words->word, words->count * sizeof(*words->word));
	return origin;
}

static uint64_t python_state(
    const uintptr_t *frame, struct unwind_stack stack, struct pomp_path_base outer)
{
	return pomp_python_state(
	    (struct pomp_python_range){(uint64_t)(uintptr_t)frame, stack.end}, outer.limit);
}

static struct pomp_origin *read_origin(struct pomp_origins *origins, struct unwind_stack stack,
    struct pomp_event_place place, struct pomp_path_base outer, uint64_t region)
{
	struct pomp_call_path *path = &origins->tree->path;
	const uintptr_t *frame = place.frame;
	uint64_t stack_pointer = 0;

	path->word[0] = POMP_PATH_REGION | region;
	size_t count = pomp_call_path_of_event(path, 1, stack, frame,
	    place.caller != 0 ? place.caller : frame[1], outer.limit, &origins->words,
	    &stack_pointer);
	if (count > 0 && outer.origin != NULL)
		path->word[count++] = outer.origin->path;
	struct pomp_origin *origin = count > 0 ? make(origins, count) : NULL;
	if (origin == NULL)
		return NULL;
	origin->stack_pointer = stack_pointer;
	origin->frame = frame;
	/* A frame pointer leads into the stack. */
	origin->caller_frame = frame[0] > (uintptr_t)frame && frame[0] < stack.end ? frame[0] : 0;
	origin->caller = frame[1];
	origin->outer = outer.origin != NULL ? outer.origin->path : 0;
	origin->region = region;
	origin->python = python_state(frame, stack, outer);
	insert(origins, origin);
	store_release(&origins->complete, origins->used);
	return origin;
}

/* Returns whether the event with that frame has this origin. */
static bool is_of(const struct pomp_origin *origin, const uintptr_t *frame, uint64_t outer,
    uint64_t region, uint64_t python)
{
	uint32_t i = 0;

	if (origin->frame != frame || origin->caller != frame[1] || origin->outer != outer ||
	    origin->region != region || origin->python != python ||
	    (origin->caller_frame != 0 && origin->caller_frame != frame[0]))
		return false;
	while (i < origin->count && *origin->word[i].place == origin->word[i].value)
		i++;
	return i == origin->count;
}

const struct pomp_origin *pomp_origin_find(struct pomp_origins *origins, struct unwind_stack stack,
    struct pomp_event_place place, struct pomp_path_base outer, uint64_t region)
{
	const uintptr_t *frame = place.frame;
	const struct pomp_origin *origin = origins->bucket[bucket_of(frame, frame[1])];
	uint64_t outer_path = outer.origin != NULL ? outer.origin->path : 0;
	uint64_t python = python_state(frame, stack, outer);

	for (; origin != NULL; origin = origin->next)
		if (is_of(origin, frame, outer_path, region, python))
			return origin;
	uint64_t before = pomp_clock_ticks(&pomp_process.clock);
	if (origins->spent > SPENT_FIRST + (before - origins->begin) / SPENT_PART)
		return NULL;
	origin = read_origin(origins, stack, place, outer, region);
	uint64_t took = pomp_clock_ticks(&pomp_process.clock) - before;
	origins->spent += took < TAKES_MOST ? took : TAKES_MOST;
	return origin;
}
