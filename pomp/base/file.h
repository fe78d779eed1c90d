/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file of the library in a user's process. Programs close descriptors that they did not open
 * (daemons close all), and the number may soon belong to a file of the program. Hence each use
 * first checks that the descriptor is still the library's.
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

/* Makes a new file in the folder, and never opens an existing one. False with errno. */
bool pomp_file_make(struct pomp_file *file, const char *folder, const char *name);

/*
 * Makes sure that the file can be used: its descriptor is still valid, or the file could be opened
 * again. False with errno.
 */
bool pomp_file_ready(struct pomp_file *file, const char *folder, const char *name);

/* Makes a new folder of that mode and its missing parents. False with errno. */
bool pomp_folder_make(const char *path, mode_t mode);

/* Closes the descriptor if it still belongs to this file. */
void pomp_file_close(struct pomp_file *file);

#endif
