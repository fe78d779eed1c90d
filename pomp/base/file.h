/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file of ours in a process that is not. Programs close descriptors that they did not open
 * (daemons close them all), and the number may soon be a file of theirs: before each use we look
 * whether it is still ours.
 */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <sys/types.h>

struct pomp_file {
	int descriptor; /* -1: none */
	dev_t device;
	ino_t inode;
};

/* Makes a new file in the folder, never opens an old one. False with errno. */
bool pomp_file_make(struct pomp_file *file, const char *folder, const char *name);

/* Whether the file can be used: the descriptor still is it, or could be opened anew. False with
 * errno. */
bool pomp_file_ready(struct pomp_file *file, const char *folder, const char *name);

/* Makes a new folder, and those above it that are missing. False with errno. */
bool pomp_folder_make(const char *path);

/* Closes it if it still is ours. */
void pomp_file_close(struct pomp_file *file);

#endif
