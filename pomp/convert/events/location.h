/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One location while its events are written: what is open on it, and how that ends. The rules are
 * the same as for the program's region stack.
 */
#ifndef LOCATION_H
#define LOCATION_H

#include "convert-archive.h"

#include "shared/loop-marks.h"
#include "shared/sample-counters.h"
#include "shared/trace-usage.h"

enum convert_open_kind {
	OPEN_PLAIN,
	OPEN_CRITICAL,
	OPEN_FORK,
	OPEN_TEAM,
	OPEN_CREATE,
	OPEN_TASK,
	OPEN_ROUTINE,
};

/* One open thing. In a damaged log each word may open one. */
struct convert_open {
	uint64_t number; /* FORK, TEAM: team; CREATE, TASK: task; CRITICAL: acquisition number */
	uint32_t id;     /* region id, or lock routine */
	OTF2_RegionRef region;
	uint32_t comm; /* TEAM: CONVERT_NONE if unknown; CRITICAL: the lock, likewise */
	uint32_t rank; /* TEAM: own thread number in comm */
	uint32_t team; /* depth of the innermost TEAM up to and including this, plus one; 0: none */
	uint8_t kind;  /* enum convert_open_kind */
	uint8_t part;  /* enum convert_part: PLAIN, CRITICAL, CREATE, TASK */
	bool completed; /* TASK: its end was seen */
};

/* What the thread executed at a moment. */
struct convert_sample {
	uint64_t time;
	uint32_t context, count; /* count: for how many samples it stands */
	OTF2_InterruptGeneratorRef generator;
	uint64_t counters; /* a set, 0: none; what they counted ... */
	uint64_t counted[SAMPLE_COUNTERS_MOST];
};

struct convert_location {
	struct convert_archive *archive;
	OTF2_EvtWriter *writer;
	uint32_t number;
	uint64_t time;
	struct convert_open *open;
	size_t depth, capacity;
	uint64_t metric[TRACE_LOG_METRICS_MAX]; /* values at the latest METRICS record */
	bool metrics_known;                     /* there was one; it is valid for what follows */
	uint64_t usage[TRACE_USAGE_VALUES];     /* sums over the USAGE records */
	struct convert_sample *samples;         /* that no later record of the log follows yet */
	size_t sample_count, sample_room;
	struct convert_sample counted;       /* of the sample that follows: only its counts */
	uint64_t sums[SAMPLE_COUNTERS_MOST]; /* over the counts of samples */
	uint64_t
	    beside; /* samples and values of `usage` written, which are not the program's events */
	uint64_t task;                /* the latest task that it created */
	size_t near;                  /* index of its latest team */
	struct convert_numbers order; /* its latest acquisition of each lock, by lock number */
};

/* Remembers the first error of the archive. */
void convert_location_check(struct convert_location *location, OTF2_ErrorCode code);

/* Bare events at the location's time. */
void convert_enter(struct convert_location *location, OTF2_RegionRef region);
void convert_complete_task(struct convert_location *location, uint64_t task);
void convert_parameter(struct convert_location *location, const struct convert_record *record);

/* Pushes something on the stack and returns it; NULL when memory ran out. Writes no event. */
struct convert_open *convert_push(struct convert_location *location, struct convert_open open);

/* Returns the innermost team below `depth`, or NULL. */
const struct convert_open *convert_team_below(
    const struct convert_location *location, size_t depth);

/*
 * Returns the creator of a task. A task's number contains the creating location; OTF2 needs that
 * thread's number in the team.
 */
uint32_t convert_creator_of(
    const struct convert_location *location, const struct convert_open *team, uint64_t task);

/* Pop what is on top, or everything above `depth`, and write the events for its end. */
void convert_close_top(struct convert_location *location);
void convert_close_to(struct convert_location *location, size_t depth);

/*
 * Closes the innermost open thing with that kind, part and id, and everything above it. As in the
 * program, the search ends at the team or task in which the thread is.
 */
void convert_close_matching(struct convert_location *location, enum convert_open_kind kind,
    enum convert_part part, uint32_t id);

/* Returns the depth, plus one, of the innermost thing of that kind; 0: none. */
size_t convert_find_innermost(const struct convert_location *location, enum convert_open_kind kind);

/* Returns the depth, plus one, of the fork or task with that number; 0: not on this location. */
size_t convert_find_number(
    const struct convert_location *location, enum convert_open_kind kind, uint64_t number);

#endif
