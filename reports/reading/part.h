/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one process of a report (readers.h) has found in its part of an archive, on its way to
 * process 0. Both have opened the same archive, so indices and references of definitions are equal.
 */
#ifndef PART_H
#define PART_H

#include "analysis.h"
#include "readers.h"

/*
 * Writes or reads the sums of a part: what analysis_read_processes() adds up over the threads that
 * read. In an analysis that is read into, arrays are new memory, except those by construct and row.
 */
void part_sums(struct message *message, struct analysis *analysis);

/*
 * The same for what belongs to one process of the program, with its locations: threads, rows of the
 * timeline, and what reading has found about the locations.
 */
void part_process(
    struct message *message, struct analysis *analysis, const struct archive_process *process);

/* What reading finds about a location; the rest is in the definitions. */
void part_location(struct message *message, struct archive_location *location);

void part_locks(struct message *message, struct lock **locks, size_t *count);

/* The same for what reading adds to an archive; warnings from `first_warning` on. */
void part_archive(struct message *message, struct archive *archive, size_t first_warning);

#endif
