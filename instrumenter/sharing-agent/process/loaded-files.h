/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that are loaded into the process: what an address of code or data is in them. */
#ifndef SHARING_LOADED_FILES_H
#define SHARING_LOADED_FILES_H

#include <stdint.h>

/* Looks which files there are. Not for signal handlers. */
void loaded_files_read(void);

/* Calls found() with each file, and with what its addresses are more by than in it. */
void loaded_files_each(void (*found)(const char *path, uintptr_t bias));

/* The offset in *file, which is NULL if the address is in none; then the address itself. */
uintptr_t loaded_file_offset(uintptr_t address, const char **file);

#endif
