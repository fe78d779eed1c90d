/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OTF2 side of the conversion: the events of a process being written, and what its definitions
 * need to know of them afterwards.
 *
 * Several threads write events, each of other locations. What they share are the numbers of
 * regions, which are given under the lock and read without (relaxed: a number is all there is to
 * see), the count of what was closed, and the first error. What is defined is described by
 * one thread afterwards.
 */
#ifndef ARCHIVE_H
#define ARCHIVE_H

#include "atomics.h"
#include "log-reader.h"
#include "output.h"
#include "string-table.h"
#include "teams.h"

#include "shared/trace-convert.h"

#include <otf2/otf2.h>
#include <pthread.h>
#include <stdatomic.h>

/* Each descriptor can show as several OTF2 regions. */
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
	struct convert_output *output; /* its files */
	struct convert_strings strings;
	/*
	 * OTF2 regions are numbered as events first use them: region[(id - 1) * PART_COUNT + part]
	 * and routine[] hold reference + 1, or 0.
	 */
	_Atomic uint32_t *region;
	_Atomic uint32_t routine[TRACE_LOG_ROUTINE_COUNT];
	pthread_mutex_t lock; /* guards region_count, and giving a number */
	uint32_t region_count;
	OTF2_StringRef *value; /* by number of a string value - 1 */
	uint64_t *event_count; /* by location */
	/* Of many ranks, this one's numbers begin behind those of the ranks before it. */
	uint32_t location_base, lock_base;
	uint32_t mpi_comms;                /* MPI communicators, whose numbers follow the teams' */
	const struct convert_clock *clock; /* NULL: times are the log's own */
	uint64_t end;                      /* ticks: where everything still open is closed */
	_Atomic uint64_t closed;
	_Atomic int error; /* OTF2_ErrorCode: the first */
};

/*
 * The name and the arguments of the program that an event has room for: a chunk of OTF2's buffer
 * has 256 KiB, and a reference takes up to five bytes.
 */
enum { CONVERT_MOST_WORDS = 50000 };

/* The reference of an event's string; OTF2_UNDEFINED_STRING when memory ran out. */
OTF2_StringRef convert_string(struct convert_archive *archive, const char *text);

/* A region of the archive; name and code are heap, the other texts belong to the input. */
struct convert_region_text {
	char *name;
	char *code; /* its place, or NULL: it is not known by its code */
	const char *description, *file;
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
	uint32_t begin, end;
};

/*
 * All regions that got a number, in its order (heap, or NULL when memory ran out), and what each
 * is.
 */
uint32_t *convert_list_regions(struct convert_archive *archive);
struct convert_region_text convert_describe_region(
    const struct convert_archive *archive, uint32_t place);

/* The OTF2 region of a part of a descriptor's region, or of a lock routine. */
OTF2_RegionRef convert_region_ref(
    struct convert_archive *archive, uint32_t region, enum convert_part part);
OTF2_RegionRef convert_routine_ref(struct convert_archive *archive, enum trace_log_routine routine);

/* Numbers the parameters' string values; false when memory ran out. Before any events. */
bool convert_prepare_parameters(struct convert_archive *archive);

/* The archive's time of a log's. */
uint64_t convert_time(const struct convert_archive *archive, uint64_t ticks);

/* Writes the events of one location. */
void convert_write_events(struct convert_archive *archive, uint32_t location);

/* Writes the events of all locations, as many at once as there are processors (cpu_set_t or NULL).
 */
void convert_write_all_locations(struct convert_archive *archive, const void *processors);

/* The time at which everything ends: when the program said so, else at its last event. */
uint64_t convert_end_of(const struct convert_input *input, const struct convert_teams *teams);

/* OTF2 would print each error on stderr: stderr belongs to the program. Returns what was before.
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
