/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OTF2 side of the conversion: the events of a process while they are written, and what its
 * definitions need to know about them afterwards.
 *
 * Several threads write events, each for other locations. They share the numbers of regions, which
 * are given out under the lock and read without it (relaxed: nothing but the number is read), the
 * count of closed regions, and the first error. Afterwards one thread describes what is defined.
 */
#ifndef CONVERT_ARCHIVE_H
#define CONVERT_ARCHIVE_H

#include "pomp-atomics.h"
#include "log-reader.h"
#include "archive-output.h"
#include "string-table.h"
#include "logged-teams.h"

#include "shared/trace-convert.h"

#include <otf2/otf2.h>
#include <pthread.h>
#include <stdatomic.h>

/* A descriptor may become several OTF2 regions. */
enum convert_part {
	PART_CONSTRUCT,
	PART_BLOCK,
	PART_BARRIER,
	PART_WAIT,
	PART_CREATE,
	PART_COUNT,
};

struct convert_archive {
	const struct convert_input *input;
	const struct convert_teams *teams;
	OTF2_Archive *archive;
	struct convert_output *output; /* the archive's files */
	struct convert_strings strings;
	/*
	 * OTF2 regions are numbered when events first use them: region[(id - 1) * PART_COUNT +
	 * part] and routine[] hold reference + 1, or 0.
	 */
	_Atomic uint32_t *region;
	_Atomic uint32_t routine[TRACE_LOG_ROUTINE_COUNT];
	pthread_mutex_t lock; /* guards region_count, and giving out a number */
	uint32_t region_count;
	OTF2_StringRef *value; /* by number of a string value - 1 */
	uint64_t *event_count; /* by location */
	/* With many ranks, this one's numbers follow those of the previous ranks. */
	uint32_t location_base, lock_base;
	uint32_t mpi_comms;                /* MPI communicators, whose numbers follow the teams' */
	const struct convert_clock *clock; /* NULL: times are unchanged */
	uint64_t ticks_per_second;         /* of the process's clock */
	_Atomic bool has_usage, has_marks; /* there were USAGE and MARK records */
	_Atomic uint64_t counters;         /* the set of the COUNTED records; 0: none */
	uint64_t end;                      /* ticks: everything that is still open is closed then */
	_Atomic uint64_t closed;
	_Atomic uint64_t beside; /* sum over the locations */
	_Atomic int error;       /* OTF2_ErrorCode: the first */
};

/*
 * The classes of metrics that are no metrics of the program, in their order. A class that no event
 * has is defined if a later one is.
 */
enum convert_class { CONVERT_CLASS_USAGE, CONVERT_CLASS_MARKS, CONVERT_CLASS_COUNTERS };

/*
 * How many words of the program's name and arguments fit into an event: a chunk of OTF2's buffer
 * has 256 KiB, and a reference takes up to five bytes.
 */
enum { CONVERT_MOST_WORDS = 50000 };

/* Returns the reference of a string in an event; OTF2_UNDEFINED_STRING when memory ran out. */
OTF2_StringRef convert_string(struct convert_archive *archive, const char *text);

/* A region of the archive; name and code are heap, the other texts belong to the input. */
struct convert_region_text {
	char *name;
	char *code; /* its place in the code, or NULL: it is not identified by its code */
	const char *description, *file;
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
	uint32_t begin, end;
};

/*
 * The first returns all regions that got a number, in order of number (heap, or NULL when memory
 * ran out). The second describes one of them.
 */
uint32_t *convert_list_regions(struct convert_archive *archive);
struct convert_region_text convert_describe_region(
    const struct convert_archive *archive, uint32_t place);

/* Return the OTF2 region for a part of a descriptor's region, or for a lock routine. */
OTF2_RegionRef convert_region_ref(
    struct convert_archive *archive, uint32_t region, enum convert_part part);
OTF2_RegionRef convert_routine_ref(struct convert_archive *archive, enum trace_log_routine routine);

/* Numbers the string values of parameters; false when memory ran out. */
bool convert_prepare_parameters(struct convert_archive *archive);

/* Converts a log's time to the archive's. */
uint64_t convert_time(const struct convert_archive *archive, uint64_t ticks);

/* Writes the events of one location. */
void convert_write_events(struct convert_archive *archive, uint32_t location);

/* Writes the events of all locations, in parallel on these processors (cpu_set_t or NULL). */
void convert_write_all_locations(struct convert_archive *archive, const void *processors);

/*
 * Returns the time at which everything ends: the recorded end of the program, else its last event.
 */
uint64_t convert_end_of(const struct convert_input *input, const struct convert_teams *teams);

/*
 * Discards OTF2's messages: it would print each error on stderr, which belongs to the program.
 * Returns the previous callback.
 */
OTF2_ErrorCallback convert_discard_otf2_messages(void);

/* Remembers the first error. */
static inline void convert_check(struct convert_archive *archive, OTF2_ErrorCode code)
{
	int none = OTF2_SUCCESS;

	if (code != OTF2_SUCCESS)
		replace_once(&archive->error, &none, code);
}

#endif
