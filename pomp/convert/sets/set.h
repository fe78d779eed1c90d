/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks define, each thing once: the set of one rank is merged into that of another, which
 * then represents both. Things are identified by their content, never by their number: numbers are
 * indices in the set, and merging returns which index became which. What belongs to one rank alone
 * (its locations and teams) is appended.
 *
 * A process without MPI is the only member of its set and not a rank.
 *
 * Everything consists of words, so that a set can be sent: strings are indices in `strings`.
 */
#ifndef SET_H
#define SET_H

#include "shared/hash-map.h"
#include "shared/precondition.h"
#include "string-table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records of words by index, each record once. */
struct convert_pool {
	uint64_t *words;
	size_t word_count, word_capacity;
	size_t *start; /* record i is start[i] .. start[i + 1]; one entry more than count */
	size_t count, capacity;
	struct map places;  /* by the hash of the words that distinguish records */
	unsigned key_words; /* records are equal if this many first words are; 0: all words */
};

struct convert_set {
	struct convert_strings strings;
	struct convert_pool regions;    /* enum set_region */
	struct convert_pool metrics;    /* enum set_metrics, then name, unit, meaning of each */
	struct convert_pool parameters; /* name (string), enum trace_log_text */
	struct convert_pool comms;      /* enum set_comm, then the members' world ranks */
	struct convert_pool contexts;   /* enum set_context; callers come before callees */
	struct convert_pool callers;    /* enum set_caller */
	struct convert_pool locks;      /* enum set_lock */
	struct convert_pool ranks;      /* enum set_rank, then locations and teams */
	bool failed;                    /* memory ran out, or the received bytes were no set */
};

/* What the values of a class of metrics are. */
enum set_metrics {
	SET_METRICS_SUMS,       /* sums since the beginning, at some events */
	SET_METRICS_EVERYWHERE, /* the same at every enter and leave */
	SET_METRICS_OF_MOMENTS, /* of the moment alone */
};

enum set_region {
	SET_REGION_NAME, /* strings; OTF2_UNDEFINED_STRING is NO_STRING */
	SET_REGION_FILE,
	SET_REGION_KIND,  /* role in the low 32 bits, paradigm above */
	SET_REGION_LINES, /* first line in the low 32 bits, last line above */
	SET_REGION_OWN, /* without MPI, the region's own number: there, two equal regions stay two,
			   except regions identified by their code */
	SET_REGION_KEY_WORDS, /* the words below may differ: those of the first record are kept */
	SET_REGION_DESCRIPTION = SET_REGION_KEY_WORDS,
	SET_REGION_CODE, /* string: place in the code, or NO_STRING */
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

/* A place in the code in a call path. */
enum set_context {
	SET_CONTEXT_FUNCTION, /* strings; "" is unknown */
	SET_CONTEXT_FILE,
	SET_CONTEXT_LINE,      /* 0: unknown */
	SET_CONTEXT_CONSTRUCT, /* 1: a construct with its place in the place of a function */
	SET_CONTEXT_WRAPPER,   /* 1: a short function of a header */
	SET_CONTEXT_PARENT,    /* index of the caller's context, or NO_CONTEXT */
	SET_CONTEXT_CODE,      /* string: without a line, its place in the code, or NO_STRING */
	SET_CONTEXT_WORDS,
};
#define SET_NO_CONTEXT UINT32_MAX

/* A lock variable with a name. */
enum set_lock {
	SET_LOCK_RANK,   /* of its process, as in the rank's record */
	SET_LOCK_NUMBER, /* the lock's number in the archive */
	SET_LOCK_NAME,   /* string */
	SET_LOCK_WORDS,
};

/* A line of Python that called a region, as in struct trace_log_caller. */
enum set_caller {
	SET_CALLER_RANK,   /* of its process, as in the rank's record */
	SET_CALLER_REGION, /* index in the set */
	SET_CALLER_CALLS,
	SET_CALLER_TIME,
	SET_CALLER_LINE,
	SET_CALLER_INNER_LINE,
	SET_CALLER_FUNCTION, /* strings */
	SET_CALLER_FILE,
	SET_CALLER_INNER_FUNCTION,
	SET_CALLER_INNER_FILE,
	SET_CALLER_WORDS,
};

enum set_rank {
	SET_RANK_NUMBER, /* in MPI_COMM_WORLD; NO_RANK: a process without MPI, the only one */
	SET_RANK_HOST,   /* string */
	SET_RANK_BEGIN,  /* time */
	SET_RANK_FINISH,
	SET_RANK_COMPLETE_FROM, /* time from which on all threads have their events; 0: always */
	SET_RANK_LOST,          /* events */
	SET_RANK_HAS_PROCESSOR, /* the members of struct trace_log_processor are known */
	SET_RANK_PROCESSORS,
	SET_RANK_RAN,
	SET_RANK_SYSTEM,
	SET_RANK_FAULTS,
	SET_RANK_FAULT_COST,
	SET_RANK_SAMPLE_PERIOD,
	SET_RANK_QUOTA,
	SET_RANK_THROTTLED,
	SET_RANK_STOLEN,
	SET_RANK_IDLE,
	SET_RANK_ONLINE,
	SET_RANK_BOUND,
	SET_RANK_HAS_COUNTS, /* 1: its samples have what counters counted */
	SET_RANK_CLOSED,
	SET_RANK_EVENTS,
	SET_RANK_COMPLETE,  /* 1: its log is complete */
	SET_RANK_CUT,       /* 1: events are missing from some time on */
	SET_RANK_LOCATIONS, /* each: name (string), number of events */
	SET_RANK_TEAMS,     /* each: parent team or CONVERT_NONE, count, the members' indices */
	SET_RANK_WORDS,
};

/* Which index each thing of the merged set got in the resulting set. */
struct convert_maps {
	/* NULL: the index is unchanged; otherwise each array is complete */
	uint64_t *strings, *regions, *metrics, *parameters, *comms, *contexts;
	size_t string_count, region_count, metric_count, parameter_count, comm_count, context_count;
};

/* Returns the string's index. */
uint32_t convert_set_string(struct convert_set *set, const char *text);

/* Adds a record and returns its index; an equal record keeps its index. */
size_t convert_pool_add(struct convert_pool *pool, const uint64_t *words, size_t count);

static inline const uint64_t *convert_pool_at(
    const struct convert_pool *pool, size_t place, size_t *count)
{
	CHECK(place < pool->count, "the pool has the record");

	*count = pool->start[place + 1] - pool->start[place];
	return pool->words + pool->start[place];
}

void convert_set_init(struct convert_set *set);
void convert_set_free(struct convert_set *set);

/* Merges all of `from`; maps may be NULL. If memory runs out, into->failed is set. */
void convert_set_merge(
    struct convert_set *into, const struct convert_set *from, struct convert_maps *maps);

/*
 * The same for an empty set, which takes over the content of `from`, so that nothing is stored
 * twice meanwhile.
 */
void convert_set_take(
    struct convert_set *into, struct convert_set *from, struct convert_maps *maps);
void convert_maps_free(struct convert_maps *maps);

/* Converts a set to bytes (heap) and back; the bytes are checked. */
void *convert_set_pack(const struct convert_set *set, bool with_ranks, size_t *bytes);
bool convert_set_unpack(struct convert_set *set, const void *packed, size_t bytes);

#endif
