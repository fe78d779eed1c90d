/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a running program keeps the latest events of its threads: its memory map names the files.
 * Only files of this user in a folder that is his alone are opened, and none through a symbolic
 * link.
 */
#ifndef RING_FOLDER_H
#define RING_FOLDER_H

#include <sys/types.h>

/*
 * Opens the folder with the process's rings. Returns a descriptor, or -1 with *error (heap, or NULL
 * if memory ran out).
 */
int ring_folder_open(pid_t process, char **error);

#endif
