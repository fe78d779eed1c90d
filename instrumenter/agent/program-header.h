/* SPDX-License-Identifier: BSD-3-Clause */
/* Can a program that is about to start load this process's libraries? */
#ifndef PROGRAM_HEADER_H
#define PROGRAM_HEADER_H

#include <stdbool.h>

/*
 * False for a program with another word size or processor, or with musl's libc, because it would
 * not start with these libraries. True if that is unknown. Makes only system calls, because it is
 * used between vfork and exec. The second function searches for the file in PATH.
 */
bool target_takes_libraries(const char *path);
bool target_in_path_takes_libraries(const char *file);
bool target_descriptor_takes_libraries(int descriptor);

#endif
