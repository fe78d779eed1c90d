/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbered files or folders, in a folder of their own in the one in which the program was started.
 * It is made with the first of them, and nothing is written if the folder of the start is not where
 * it was, as after chroot().
 */
#ifndef START_FOLDER_H
#define START_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

struct pomp_start_folder {
	const char *name; /* the process's number follows */
	mode_t mode;
	char *path;   /* absolute; NULL before the first attempt to make it */
	dev_t device; /* of the folder of the start ... */
	ino_t file;
	bool is_made;
};

/* Notes the folder of the start; false: it is unknown. */
bool pomp_start_folder_note(struct pomp_start_folder *folder);

/* Returns whether the folder of the start is where it was. */
bool pomp_start_folder_is_there(const struct pomp_start_folder *folder);

/* Makes the folder, which nobody else has, if it has not been made. False with errno. */
bool pomp_start_folder_make(struct pomp_start_folder *folder);

/* In the child of a fork: the folder is the parent's. */
void pomp_start_folder_forget(struct pomp_start_folder *folder);

#endif
