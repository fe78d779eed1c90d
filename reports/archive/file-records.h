/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far the OTF2 library can read a file of an archive. The library reads a file into a buffer of
 * a whole chunk and checks only against the buffer's end: behind the file's end it reads bytes that
 * nobody wrote, so that reports of the same file differ from run to run, and where the file ends
 * with a whole chunk it can read the events of earlier chunks again, without end. A count that was
 * damaged makes it read behind the buffer, too. So what it would read is followed here first.
 */
#ifndef FILE_RECORDS_H
#define FILE_RECORDS_H

#include "archive.h"

/* What the records of a file are; they differ in their kinds. */
enum file_content {
	CONTENT_EVENTS,            /* of a location: *.evt */
	CONTENT_DEFINITIONS,       /* of the archive */
	CONTENT_LOCAL_DEFINITIONS, /* of a location: *.def */
};

/* How many records may be read of a file. */
struct file_records {
	uint64_t most;       /* records; UINT64_MAX: all */
	bool is_readable;    /* false: not even its begin; the library must not open it */
	const char *trouble; /* why not all may be read, for a message; NULL: all may be read */
};

/*
 * Follows the records of a file. Chunks are of that many bytes. A file that cannot be opened is
 * left to the library: all its records may be read. Events are counted without the lists of
 * attributes before them, as the library counts them.
 */
struct file_records file_records_of(const char *path, enum file_content content, uint64_t chunk);

/* The same for a file of the archive; `location` is used for files of locations. */
struct file_records archive_file_records(
    const struct archive *archive, enum file_content content, OTF2_LocationRef location);

#endif
