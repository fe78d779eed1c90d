/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds programs by their names in PATH, in which ompinst itself may have any name, and reports why
 * one cannot be run. ompinst finds everything that it runs for the user, compilers and programs,
 * with these functions.
 */
#ifndef PROGRAM_SEARCH_H
#define PROGRAM_SEARCH_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

enum search_start {
	SEARCH_ALL,         /* the first one in PATH */
	SEARCH_BEHIND_OURS, /* the first one after the first folder with ompinst by this name */
	SEARCH_OURS_TOO,    /* the first one in PATH, even if it is ompinst */
};

#define SEARCH_IS_OURS     EDEADLK /* the errno for ompinst itself */
#define PROGRAM_FIRST_LINE 256     /* bytes of a script in which Linux looks for its interpreter */

/*
 * The path (heap) of the program with this name or path. NULL with errno: ENOENT if PATH has no
 * such file, EACCES if it has one that cannot be run. If no program comes after ompinst, one before
 * it is used. Unless is_first is NULL, *is_first tells whether execvp() would find the same
 * program.
 */
char *search_program(const char *name, enum search_start start, bool *is_first);

/*
 * Why the file cannot be run, as an errno; 0 if it can. A folder gives EISDIR, although execve()
 * gives EACCES.
 */
int program_problem(const char *path);

/* The exit code of shells if a program cannot be run: 127 if it was not found, else 126. */
int program_exit_code(int problem);

/*
 * Describes the problem in words (heap, or NULL if memory ran out). ENOENT for an existing program
 * means that a script's interpreter is missing.
 */
char *program_problem_text(const char *name, int problem);

/* The interpreter (heap) that the first line of a script names, or NULL. */
char *program_interpreter(const char *bytes, size_t length);

/*
 * Removes the folders in which `name` is ompinst from PATH, so that a program that looks in PATH
 * for the next program with its own name does not find ompinst. Never makes PATH empty, which would
 * mean the current folder.
 */
void search_hide_ours(const char *name);

#endif
