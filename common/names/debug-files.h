/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that hold the debug information of others, found where distributions and linkers put them.
 */
#ifndef DEBUG_FILES_H
#define DEBUG_FILES_H

#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stddef.h>

/* An open ELF file; file is -1 where there is none. */
struct elf_file {
	int file;
	Elf *elf;
	char *path;
};

/* Opens a regular file that is ELF's; false, and nothing is open, where it is not. */
bool names_elf_file_open(struct elf_file *elf, const char *path);
void names_elf_file_close(struct elf_file *elf);

/* Its build id in hexadecimal digits (heap), "" without one; NULL when memory ran out. */
char *names_elf_file_build_id(const struct elf_file *elf);

/* Whether a section of that name is there and has contents. */
bool names_elf_file_has(const struct elf_file *elf, const char *section);

/*
 * The file with the debug information for a build id, in DIR/.build-id/ of the folders, then of
 * /usr/lib/debug, or in a folder itself. `dirs` ends with NULL, or is NULL.
 */
bool names_debug_file_by_build_id(
    struct elf_file *found, const char *build_id, const char *const *dirs);

/*
 * The one that the file's .gnu_debuglink names: beside it, in .debug there, in the folders or in
 * /usr/lib/debug; by its sum, or by the build id where both have one.
 */
bool names_debug_file_by_link(
    struct elf_file *found, const struct elf_file *of, const char *const *dirs);

/* The supplementary file that dwz(1) made, as the file's .gnu_debugaltlink names it. */
bool names_debug_file_supplementary(
    struct elf_file *found, Dwarf *dwarf, const struct elf_file *of, const char *const *dirs);

#endif
