/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks' folders within the shared one. */
#ifndef RANK_FOLDERS_H
#define RANK_FOLDERS_H

#include "log-reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the numbers of the ranks that have a folder there, ascending (heap), or NULL for none.
 * False with errno when they are not all known.
 */
bool convert_list_ranks(const char *folder, uint32_t **ranks, size_t *count);

/* Returns how many ranks the program had, according to the folder's mark; 0: unknown. */
uint64_t convert_rank_total(const char *folder);

/* Returns the folder of one rank; heap or NULL. */
char *convert_rank_folder(const char *folder, uint32_t rank);

/* Returns how many thread logs those ranks have, and their bytes. */
uint64_t convert_count_logs(
    const char *folder, const uint32_t *ranks, size_t count, uint64_t *bytes);

/*
 * The logs that were read, to be removed when the archive is complete. Unreadable logs are not
 * among them.
 */
struct convert_files {
	char **path;
	size_t count, capacity;
};
bool convert_note_files(struct convert_files *files, const struct convert_input *input);
void convert_remove_files(const struct convert_files *files);
void convert_free_files(struct convert_files *files);

/*
 * Removes a rank's folder after its logs; moves the first rank's settings to the shared folder. If
 * logs could not be read, the folder stays.
 */
void convert_leave_rank(const char *folder, const char *own, bool first);

#endif
