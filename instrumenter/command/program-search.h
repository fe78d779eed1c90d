/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs by their names in PATH, which may have ompinst itself by any name, and why one cannot be
 * run. All that ompinst runs for the user, compilers and programs, is found here.
 */
#ifndef PROGRAM_SEARCH_H
#define PROGRAM_SEARCH_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

enum search_start {
	SEARCH_ALL,         /* the first one in PATH */
	SEARCH_BEHIND_OURS, /* the first one behind the first folder where the name is ours */
	SEARCH_OURS_TOO,    /* the first one in PATH, which may be ompinst */
};

#define SEARCH_IS_OURS     EDEADLK /* the errno for ompinst itself */
#define PROGRAM_FIRST_LINE 256     /* bytes of a script in which Linux looks for its interpreter */

/*
 * The path (heap) of the program that name stands for, a name in PATH or a path, or NULL with
 * errno: ENOENT where PATH has no file of that name, and EACCES where it has one that cannot be
 * run. Where there is nothing behind ours, what is before it counts. *is_first, unless is_first is
 * NULL: execvp() would find the same one.
 */
char *search_program(const char *name, enum search_start start, bool *is_first);

/* Why the file cannot be run, as an errno, or 0: EISDIR for a folder, where execve() has EACCES. */
int program_problem(const char *path);

/* The exit code of shells where a program cannot be run: 127 when it was not found, else 126. */
int program_exit_code(int problem);

/*
 * The same in words (heap, or NULL when memory ran out). ENOENT of a program that is there is said
 * of the interpreter that a script names.
 */
char *program_problem_text(const char *name, int problem);

/* The interpreter (heap) that the first line of a script names, or NULL. */
char *program_interpreter(const char *bytes, size_t length);

/*
 * Takes those folders out of PATH in which name is ours, so that what runs now, and looks there for
 * the program that is called like itself, does not find us. Never makes PATH empty, which would be
 * the current folder.
 */
void search_hide_ours(const char *name);

#endif
