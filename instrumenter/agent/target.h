/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a program that is about to be started take libraries of this process's kind? */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>

/*
 * False for a program of another word size or processor, or of musl's libc, which would not start
 * with them. True where that cannot be known. Calls nothing but system calls: it is used between
 * vfork and exec. The second one looks for the file in PATH.
 */
bool target_takes_libraries(const char *path);
bool target_in_path_takes_libraries(const char *file);
bool target_descriptor_takes_libraries(int descriptor);

#endif
