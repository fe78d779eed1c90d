/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file of the library in a process of the user. Programs close descriptors that they did not open
 * (daemons close them all), and the number may soon be a file of the program: before each use it is
 * checked that it still is the library's.
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

/*
 * Whether the file can be used: the descriptor still is it, or could be opened anew. False with
 * errno.
 */
bool pomp_file_ready(struct pomp_file *file, const char *folder, const char *name);

/* Makes a new folder, and those above it that are missing. False with errno. */
bool pomp_folder_make(const char *path);

/* Closes it if the descriptor still is this file. */
void pomp_file_close(struct pomp_file *file);

#endif
