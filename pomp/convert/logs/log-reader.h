/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the logs of an experiment folder. It trusts nothing: the program may have been killed at
 * any moment, and the files may have been damaged since.
 */
#ifndef LOG_READER_H
#define LOG_READER_H

#include "failure.h"
#include "logged-paths.h"
#include "shared/trace-log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A region in the definitions log; strings point into the file's mapping. */
struct convert_region {
	const char *name, *sub_name, *file;
	struct trace_log_region head;
	const char *module, *build_id,
	    *function; /* if identified by its code; else module is NULL */
	struct trace_log_code code;
};

/* A metric, or one that was dropped (unit NULL); strings point into the file's mapping. */
struct convert_metric {
	const char *name, *unit, *meaning; /* meaning: for a dropped metric, the reason */
};

/* A parameter; the name points into the file's mapping, NULL if the log does not define it. */
struct convert_parameter {
	const char *name;
	enum trace_log_text type;
};

/* A communicator of MPI; size 0 if the log does not define this number. */
struct convert_mpi_comm {
	struct trace_log_comm head;
	const uint32_t *members; /* head.member_count world ranks */
	const char *name;        /* or NULL */
};

/* The name of a lock variable; it points into the file's mapping. */
struct convert_lock {
	uint32_t number;
	const char *name;
};

/* A line that called a region; texts point into the file's mapping. */
struct convert_caller {
	struct trace_log_caller head;
	const char *function, *file, *inner_function, *inner_file;
};

/* What is needed to name a lock variable; texts point into the file's mapping. */
struct convert_lock_place {
	struct trace_log_lock_place head;
	const char *module, *build_id, *init_module, *init_build_id;
};

/* One thread's log. */
struct convert_log {
	char *path;
	uint64_t location; /* the program's number for it */
	uint64_t start;    /* ticks */
	struct trace_log_moment latest;
	uint64_t lost_events;
	uint64_t cut; /* ticks from which on records do not count; 0: all count */
	const uint64_t *words, *end;
	uint64_t *unrolled; /* the words of a ring in their order, heap; else NULL */
	bool lacks_earlier; /* of a ring: earlier records were overwritten, or not copied */
	void *mapping;
	size_t mapping_bytes;
};

struct convert_input {
	char *definitions_path;
	void *definitions;
	size_t definitions_bytes;
	struct trace_log_process process;
	struct convert_region *regions; /* regions[id - 1]; name is NULL if undefined */
	size_t region_count, region_capacity;
	char **texts; /* names of regions and locks that this conversion found, heap */
	size_t text_count, text_capacity;
	const char *program; /* its name and arguments, each NUL-ended, or NULL */
	size_t program_bytes;
	const char *host;                     /* or NULL */
	struct trace_log_processor processor; /* if has_processor */
	bool has_processor;
	struct convert_paths paths;
	struct convert_metric metrics[TRACE_LOG_METRICS_MAX];
	size_t metric_count;
	bool metrics_everywhere;
	struct convert_metric dropped[TRACE_LOG_METRICS_MAX]; /* the first ones */
	size_t dropped_count;
	struct convert_parameter *parameters; /* parameters[number - 1] */
	size_t parameter_count, parameter_capacity;
	const char **values; /* strings: values[number - 1], NULL if undefined */
	size_t value_count, value_capacity;
	/* For a rank of MPI; texts and members of communicators point into the mapping. */
	struct convert_mpi_comm *comms; /* by number */
	size_t comm_count, comm_capacity;
	struct convert_lock *locks; /* those with names */
	size_t lock_count, lock_capacity;
	struct convert_lock_place *lock_places; /* in the log's order */
	size_t lock_place_count, lock_place_capacity;
	struct convert_caller *callers;
	size_t caller_count, caller_capacity;
	struct trace_log_sync *syncs;
	size_t sync_count, sync_capacity;
	uint64_t
	    begin; /* ticks: when the records begin: at the process's start, or of rings later */
	uint64_t
	    complete_from; /* ticks: when the last thread's kept records begin; 0: all are there */
	struct convert_log *logs; /* ascending by location */
	size_t log_count, log_capacity;
};

struct convert_record {
	enum trace_log_kind kind;
	uint32_t argument;
	uint64_t time;
	uint64_t payload[TRACE_LOG_RECORD_WORDS - 1];
	const uint64_t *values; /* METRICS: as many as the argument indicates */
};

struct convert_cursor {
	const uint64_t *next, *end;
	uint64_t time;
	uint64_t leave; /* for a visit whose enter was just read: the leave's record, else 0 */
	uint64_t cut;   /* see struct convert_log */
};

/* Returns the next NUL-ended text and moves *place past it; NULL when there is none. */
const char *convert_take_text(const char **place, const char *end);

/* Returns the number of NUL-ended texts for the program's name and its arguments. */
size_t convert_count_words(const struct convert_input *input);

/* Opens all logs of a folder. Returns 0, or -1 with a message in *error (heap). */
int convert_input_open(struct convert_input *input, const char *folder, char **error);
void convert_input_close(struct convert_input *input);

struct convert_cursor convert_cursor_of(const struct convert_log *log);

/*
 * Returns the next event; false at the end of the log, at the first invalid word, and when the time
 * is reached at which another log of the process stopped.
 */
bool convert_next(struct convert_cursor *cursor, struct convert_record *record);

/* Returns how many events of the log do not count because another log had stopped before. */
uint64_t convert_events_behind_cut(const struct convert_log *log);

/* Returns whether a file in an experiment folder is a thread's log, judging by its name. */
bool convert_is_log(const char *name);

#endif
