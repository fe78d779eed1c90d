/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which files below the current folder the unchanged program writes, and what is in them. Only
 * regular files are seen, and no links are followed.
 */
#ifndef WRITTEN_FILES_H
#define WRITTEN_FILES_H

#include "word-list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum { WRITTEN_LOOKED_AT = 20000 }; /* files of the folder, at most */

struct folder_file {
	char *name; /* from the current folder */
	off_t size;
	ino_t inode;
	struct timespec changed;
};

/* The files of the folder at one moment, in the order of their names. */
struct folder_state {
	struct folder_file *files;
	size_t count, capacity;
	bool is_incomplete; /* there are more, or memory ran out: then nothing is compared */
};

struct written_file {
	char *name;
	uint64_t content; /* a hash */
	bool differs;     /* between unchanged runs: it is not compared */
};

/* What the unchanged program writes with one input. */
struct written_files {
	struct written_file *files;
	size_t count, capacity;
	bool is_known; /* it has run once */
};

/* Looks through the folder, anew if the state has files already. */
void folder_state_read(struct folder_state *state);
void folder_state_finish(struct folder_state *state);

/*
 * After a run of the unchanged program. The first one with an input writes what is not as in the
 * state, which becomes that of now; a later one shows whether the content is always the same.
 */
void written_files_note(struct written_files *written, struct folder_state *before);

/*
 * After a run of a changed program: the file with other content than after the unchanged one, as in
 * "writes other content to 'x'" (heap); NULL: none.
 */
char *written_files_difference(const struct written_files *written);

/* Adds the names of the files that are written with any input: all, or those that differ. */
void written_files_list(
    const struct written_files *inputs, size_t count, bool differing, struct words *names);

void written_files_finish(struct written_files *written);

#endif
