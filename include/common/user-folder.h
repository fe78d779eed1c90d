/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A folder that only this user can use, for files of programs that meet there:
 * /run/user/UID/ompinst, or /tmp/ompinst-UID where that is not there. Anybody may have made the
 * second one: it is checked.
 */
#ifndef USER_FOLDER_H
#define USER_FOLDER_H

#include <stddef.h>

enum { USER_FOLDERS = 2, USER_FOLDER_SIZE = 96 };

/*
 * The path of folder 0 or 1, below `root` ("" or such as "/proc/15051/root"), of the user whose
 * rights this process has.
 */
void user_folder_path(char path[USER_FOLDER_SIZE], const char *root, unsigned number);

/*
 * Opens it, through no symbolic link. Returns a descriptor, or -1 with errno: EPERM if it is not a
 * folder that only this user can use.
 */
int user_folder_open(const char *path);

/* Makes the one to use, if it is not there, and opens it: `path` says which it is in either case.
 */
int user_folder_make(char path[USER_FOLDER_SIZE], const char *root);

#endif
