/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks define, each thing once: the set of one rank is merged into that of another, which
 * then stands for both. Things are known by what they say, never by their number: numbers are
 * places in the set, and merging returns which became which. What belongs to one rank alone (its
 * locations and teams) is appended.
 *
 * A process without MPI is the only member of its set: it is no rank.
 *
 * All of it is words, so that a set can be sent: strings are their places in `strings`.
 */
#ifndef SET_H
#define SET_H

#include "shared/hash-map.h"
#include "string-table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words by place, each record once. */
struct convert_pool {
	uint64_t *words;
	size_t word_count, word_capacity;
	size_t *start; /* start[i] .. start[i + 1]; one more than count */
	size_t count, capacity;
	struct map places;  /* by the hash of what distinguishes records */
	unsigned key_words; /* records are equal if as many first words are; 0: all */
};

struct convert_set {
	struct convert_strings strings;
	struct convert_pool regions;    /* enum set_region */
	struct convert_pool metrics;    /* everywhere, then name, unit, meaning of each */
	struct convert_pool parameters; /* name (string), enum trace_log_text */
	struct convert_pool comms;      /* enum set_comm, then the members' world ranks */
	struct convert_pool locks;      /* enum set_lock */
	struct convert_pool ranks;      /* enum set_rank, then locations and teams */
	bool failed;                    /* memory ran out, or what came was no set */
};

enum set_region {
	SET_REGION_NAME, /* strings; OTF2_UNDEFINED_STRING is NO_STRING */
	SET_REGION_FILE,
	SET_REGION_KIND,  /* role, and above its 32 bits the paradigm */
	SET_REGION_LINES, /* the first, and above its 32 bits the last */
	SET_REGION_OWN,   /* of a process without MPI, its own number: there, two that say the same
			     stay two; not those that are known by their code */
	SET_REGION_KEY_WORDS, /* what comes now may differ: that of the first one stays */
	SET_REGION_DESCRIPTION = SET_REGION_KEY_WORDS,
	SET_REGION_CODE, /* string: its place, or NO_STRING */
	SET_REGION_WORDS,
};
#define SET_NO_STRING UINT32_MAX
#define SET_NO_RANK   UINT32_MAX

enum set_comm {
	SET_COMM_IDENTITY,
	SET_COMM_PARENT,
	SET_COMM_NAME, /* string */
	SET_COMM_SIZE,
	SET_COMM_IS_SELF,
	SET_COMM_WORDS,
};

/* A lock variable with a name. */
enum set_lock {
	SET_LOCK_RANK,   /* of its process, as the rank's record has it */
	SET_LOCK_NUMBER, /* the archive's */
	SET_LOCK_NAME,   /* string */
	SET_LOCK_WORDS,
};

enum set_rank {
	SET_RANK_NUMBER, /* in MPI_COMM_WORLD; NO_RANK: a process without MPI, the only one */
	SET_RANK_HOST,   /* string */
	SET_RANK_BEGIN,  /* time */
	SET_RANK_FINISH,
	SET_RANK_LOST, /* events */
	SET_RANK_CLOSED,
	SET_RANK_EVENTS,
	SET_RANK_COMPLETE,  /* 1: its log has an end */
	SET_RANK_CUT,       /* 1: events are missing from some time on */
	SET_RANK_LOCATIONS, /* each: name (string), number of events */
	SET_RANK_TEAMS,     /* each: parent team or CONVERT_NONE, count, members' places */
	SET_RANK_WORDS,
};

/* Which place of the set merged into each of the other's things got. */
struct convert_maps {
	/* NULL: each the same; or all of them are there */
	uint64_t *strings, *regions, *metrics, *parameters, *comms;
	size_t string_count, region_count, metric_count, parameter_count, comm_count;
};

/* The string's place. */
uint32_t convert_set_string(struct convert_set *set, const char *text);

/* Adds a record and returns its place; one that is known has its place already. */
size_t convert_pool_add(struct convert_pool *pool, const uint64_t *words, size_t count);

static inline const uint64_t *convert_pool_at(
    const struct convert_pool *pool, size_t place, size_t *count)
{
	*count = pool->start[place + 1] - pool->start[place];
	return pool->words + pool->start[place];
}

void convert_set_init(struct convert_set *set);
void convert_set_free(struct convert_set *set);

/* Merges all of `from`; maps may be NULL. Memory that runs out is noted in into->failed. */
void convert_set_merge(
    struct convert_set *into, const struct convert_set *from, struct convert_maps *maps);

/* The same of an empty set, which takes what `from` has: nothing is there twice meanwhile. */
void convert_set_take(
    struct convert_set *into, struct convert_set *from, struct convert_maps *maps);
void convert_maps_free(struct convert_maps *maps);

/* As bytes (heap) and back. What comes back is checked. */
void *convert_set_pack(const struct convert_set *set, bool with_ranks, size_t *bytes);
bool convert_set_unpack(struct convert_set *set, const void *packed, size_t bytes);

#endif
