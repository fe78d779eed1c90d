/* SPDX-License-Identifier: BSD-3-Clause */
/* The chosen locations of an archive in the order of Cube's system tree: by node and process. */
#ifndef CUBE_SYSTEM_H
#define CUBE_SYSTEM_H

#include "export.h"

struct cube_thread {
	uint32_t leader;  /* the first process of its node: the same for all threads of a node */
	uint32_t process; /* index of the location group; the number of groups if it has none */
	uint32_t location;
};

struct cube_system {
	struct cube_thread *threads; /* a thread's index is its column in the profile */
	size_t count;
	uint32_t *columns; /* by location: its column, or ARCHIVE_NO_INDEX if it is not chosen */
};

/*
 * Nodes come in the order of their first processes, processes and locations in that of the archive.
 */
void cube_system_init(
    struct cube_system *system, const struct archive *archive, const struct export_choice *choice);
void cube_system_free(struct cube_system *system);

/* The name of the node that a process runs on; "" when unknown. */
const char *cube_system_host(const struct archive *archive, uint32_t process);

#endif
