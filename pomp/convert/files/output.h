/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of the archive that a conversion makes. OTF2 only encodes, into memory of this library;
 * what it would write is written here. Its own files are not used, since it goes on with memory
 * that it has given back when one of them cannot be written, and takes the program along.
 *
 * Until the archive is complete, its files are in TRACE_LOG_UNFINISHED, a folder in the
 * experiment's. Then they get their names, the anchor last: an archive that has one is complete.
 * The folder itself goes when the logs have gone, and so it says that an archive is that of the
 * logs beside it.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "atomics.h"
#include <otf2/otf2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct convert_output {
	const char *folder; /* the experiment's; belongs to the caller */
	int lock;           /* TRACE_LOG_UNFINISHED, locked; -1: another process holds it */
	bool has_anchor;    /* this process writes the anchor, for all */
	bool closing;       /* OTF2 must not write it */
	struct convert_buffer *buffers; /* in use */
	struct convert_buffer *spare;   /* one location's after the other; under buffers_lock */
	pthread_mutex_t buffers_lock;   /* events of several locations are written at a time */
	char *properties;               /* of the anchor: name and value of each, NUL-ended */
	size_t property_bytes, property_capacity;
	uint32_t property_count;
	uint64_t event_chunk, definition_chunk; /* sizes */
	_Atomic int error;                      /* errno of the first that failed */
	char failed[64];                        /* the file that it was, or empty */
};

/*
 * Begins: removes what an interrupted conversion left and makes room for the files. bytes: of the
 * logs. Returns 0, or -1 with a message (heap). End it in both cases.
 */
int convert_output_begin(
    struct convert_output *output, const char *folder, uint64_t bytes, char **error);

/* The same for a process that writes into what another one has begun and is going to commit. */
void convert_output_join(struct convert_output *output, const char *folder);

/* How much is to be written; the same for all processes that write one archive. */
struct convert_amount {
	uint64_t locations;
	uint64_t definition_bytes; /* of the definitions in the logs; 0: not known */
};

/* Opens an archive for that. */
OTF2_ErrorCode convert_output_open(
    struct convert_output *output, const struct convert_amount *amount, OTF2_Archive **archive);

/*
 * Closes it, which makes the anchor. code: what OTF2 has said so far, and then what it says. After
 * an error it is not closed: where memory ran out, OTF2 frees what it has freed. It keeps a few
 * hundred bytes then, but no file.
 */
OTF2_ErrorCode convert_output_close(
    struct convert_output *output, OTF2_Archive *archive, OTF2_ErrorCode code);

/* A property of the archive, for the anchor. */
void convert_output_property(struct convert_output *output, const char *name, const char *value);

static inline bool convert_output_failed(const struct convert_output *output)
{
	return load_relaxed(&output->error) != 0;
}

/* Why, in words (heap): the first failure of a file, or else what OTF2 says. */
char *convert_output_reason(const struct convert_output *output, OTF2_ErrorCode code);

/* The files get their names. False when that failed. */
bool convert_output_commit(struct convert_output *output);

/* Removes what was written. */
void convert_output_discard(struct convert_output *output);

/* Removes the folder of what was unfinished, which is empty after a commit. */
void convert_output_end(struct convert_output *output);

/*
 * Whether an archive is there; *unfinished: it is that of the logs beside it, but the process that
 * converted them was interrupted before they were removed.
 */
bool convert_output_is_complete(const char *folder, bool *unfinished);

#endif
