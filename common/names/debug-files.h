/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds files with the debug information of other files, where distributions and linkers put them.
 */
#ifndef DEBUG_FILES_H
#define DEBUG_FILES_H

#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An open ELF file; `file` is -1 if there is none. */
struct elf_file {
	int file;
	Elf *elf;
	char *path;
};

/* Opens a regular ELF file; on failure returns false, and nothing is open. */
bool names_elf_file_open(struct elf_file *elf, const char *path);
void names_elf_file_close(struct elf_file *elf);

/* Returns its build id in hexadecimal digits (heap), "" without one; NULL when memory ran out. */
char *names_elf_file_build_id(const struct elf_file *elf);

/* Returns whether a section with that name exists and has contents. */
bool names_elf_file_has(const struct elf_file *elf, const char *section);

/*
 * Returns how many bytes readers of its debug information go through: of all sections that have to
 * be uncompressed first, as a whole, and of those with functions and lines.
 */
uint64_t names_debug_file_bytes(const struct elf_file *elf);

/*
 * Finds the file with the debug information for a build id: in DIR/.build-id/ of the folders and of
 * /usr/lib/debug, or in one of the folders itself. `dirs` ends with NULL, or is NULL.
 */
bool names_debug_file_by_build_id(
    struct elf_file *found, const char *build_id, const char *const *dirs);

/*
 * Finds the file that .gnu_debuglink names: next to the file, in .debug there, in the folders or in
 * /usr/lib/debug. It must match by its checksum, or by the build id if both have one.
 */
bool names_debug_file_by_link(
    struct elf_file *found, const struct elf_file *of, const char *const *dirs);

/* Finds the supplementary file made by dwz(1), which the file's .gnu_debugaltlink names. */
bool names_debug_file_supplementary(
    struct elf_file *found, Dwarf *dwarf, const struct elf_file *of, const char *const *dirs);

#endif
