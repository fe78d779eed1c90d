/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks' folders within that of all. */
#ifndef RANK_FOLDERS_H
#define RANK_FOLDERS_H

#include "log-reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The numbers of the ranks that have a folder there, ascending (heap), or NULL for none. False with
 * errno when they are not known, or not all.
 */
bool convert_list_ranks(const char *folder, uint32_t **ranks, size_t *count);

/* How many ranks the program had, as the folder's mark says; 0: unknown. */
uint64_t convert_rank_total(const char *folder);

/* The folder of one; heap or NULL. */
char *convert_rank_folder(const char *folder, uint32_t rank);

/* How many logs of threads those ranks have, and how many bytes. */
uint64_t convert_count_logs(
    const char *folder, const uint32_t *ranks, size_t count, uint64_t *bytes);

/*
 * The logs that were read, to be removed when the archive is whole: not those that could not be
 * read.
 */
struct convert_files {
	char **path;
	size_t count, capacity;
};
bool convert_note_files(struct convert_files *files, const struct convert_input *input);
void convert_remove_files(const struct convert_files *files);
void convert_free_files(struct convert_files *files);

/*
 * Removes a rank's folder after its logs; keeps the first one's settings in that of all. Where logs
 * could not be read, the folder stays as it is.
 */
void convert_leave_rank(const char *folder, const char *own, bool first);

#endif
