/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines of the working tree that differ from a commit, as git knows them: lines that were added
 * or changed, the line behind a deletion, and all lines of files that git does not have yet and
 * does not ignore.
 */
#ifndef TRIAGE_CHANGED_LINES_H
#define TRIAGE_CHANGED_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct changed_file {
	char *path;       /* below the root */
	int (*ranges)[2]; /* first and last line of each */
	size_t count, capacity;
};

struct changed_lines {
	const char *commit; /* as the user wrote it; NULL: none */
	char *root;         /* the working tree's */
	struct changed_file *files;
	size_t count, capacity;
};

/*
 * Runs git in the current folder. False with *error (heap, or NULL if memory ran out); *lines is
 * then empty.
 */
bool changed_lines_read(const char *commit, struct changed_lines *lines, char **error);

/* Has the line changed? Files outside of the working tree have not. */
bool changed_lines_have(const struct changed_lines *lines, const char *path, int line);

void changed_lines_finish(struct changed_lines *lines);

#endif
