/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of the archive that a conversion makes. OTF2 only encodes, into memory of this library,
 * which writes the files itself. OTF2's own file output is not used, because when a file cannot be
 * written, it continues with memory that it has freed, and crashes the program.
 *
 * Until the archive is complete, its files are in TRACE_LOG_UNFINISHED, a folder in the
 * experiment's. Then they get their names, the anchor last: an archive that has one is complete.
 * The folder is removed after the logs; while it exists, it shows that an archive belongs to the
 * logs next to it.
 */
#ifndef ARCHIVE_OUTPUT_H
#define ARCHIVE_OUTPUT_H

#include "pomp-atomics.h"
#include <otf2/otf2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct convert_output {
	const char *folder; /* the experiment's; belongs to the caller */
	int lock;           /* TRACE_LOG_UNFINISHED, locked; -1: another process holds it */
	bool has_anchor;    /* this process writes the anchor for all */
	bool closing;       /* OTF2 must not write it */
	struct convert_buffer *buffers; /* in use */
	struct convert_buffer *spare;   /* reused for later locations; under buffers_lock */
	pthread_mutex_t buffers_lock;   /* several locations are written at the same time */
	char *properties;               /* for the anchor: name and value of each, NUL-ended */
	size_t property_bytes, property_capacity;
	uint32_t property_count;
	uint64_t event_chunk, definition_chunk; /* sizes */
	_Atomic int error;                      /* the first errno */
	char failed[64];                        /* the file that failed, or empty */
};

/*
 * Begins: removes the leftovers of an interrupted conversion and makes room for the files. bytes:
 * of the logs. Returns 0, or -1 with a message (heap). End it in both cases.
 */
int convert_output_begin(
    struct convert_output *output, const char *folder, uint64_t bytes, char **error);

/*
 * The same for a process that adds files to an output that another process has begun and will
 * commit.
 */
void convert_output_join(struct convert_output *output, const char *folder);

/* How much will be written; the same for all processes that write one archive. */
struct convert_amount {
	uint64_t locations;
	uint64_t definition_bytes; /* of the definitions in the logs; 0: unknown */
};

/* Opens an archive for that amount. */
OTF2_ErrorCode convert_output_open(
    struct convert_output *output, const struct convert_amount *amount, OTF2_Archive **archive);

/*
 * Closes it, which makes the anchor. code: OTF2's result so far; returns OTF2's result at the end.
 * After an error the archive is not closed, because OTF2 would free memory twice after it ran out
 * of memory. That leaks a few hundred bytes, but no file.
 */
OTF2_ErrorCode convert_output_close(
    struct convert_output *output, OTF2_Archive *archive, OTF2_ErrorCode code);

/* Adds a property of the archive, for the anchor. */
void convert_output_property(struct convert_output *output, const char *name, const char *value);

static inline bool convert_output_failed(const struct convert_output *output)
{
	return load_relaxed(&output->error) != 0;
}

/* Returns the reason in words (heap): the first failure of a file, or else OTF2's error. */
char *convert_output_reason(const struct convert_output *output, OTF2_ErrorCode code);

/* Gives the files their names. Returns false when that failed. */
bool convert_output_commit(struct convert_output *output);

/* Removes what was written. */
void convert_output_discard(struct convert_output *output);

/* Removes the folder for unfinished files, which is empty after a commit. */
void convert_output_end(struct convert_output *output);

/*
 * Returns whether an archive exists. *unfinished: it belongs to the logs next to it, because the
 * converting process was interrupted before it had removed them.
 */
bool convert_output_is_complete(const char *folder, bool *unfinished);

#endif
