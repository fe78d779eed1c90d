/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks' folders within that of all. */
#ifndef RANK_FOLDERS_H
#define RANK_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of the ranks that have a folder there, ascending (heap); NULL with errno, or none. */
uint32_t *convert_list_ranks(const char *folder, size_t *count);

/* How many ranks the program had, as the folder's mark says; 0: unknown. */
uint64_t convert_rank_total(const char *folder);

/* The folder of one; heap or NULL. */
char *convert_rank_folder(const char *folder, uint32_t rank);

/* How many logs of threads those ranks have. */
uint64_t convert_count_logs(const char *folder, const uint32_t *ranks, size_t count);

/* Removes a rank's logs and its folder; keeps its settings in the folder of all if it is the first. */
void convert_remove_rank(const char *folder, const char *own, bool first);

/* Removes the mark: the folder is an archive's now. */
void convert_remove_mark(const char *folder);

/* Removes what a failed conversion wrote. */
void convert_remove_archive(const char *folder, size_t locations);

#endif
