/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a region's source file is: the reader of a trace opens it from any folder. */
#ifndef SOURCE_PATH_H
#define SOURCE_PATH_H

/*
 * The absolute path of a descriptor's file (heap), or NULL when it is absolute already or not
 * known. `folder` is the one in which the compiler ran, or NULL when it is not known. Process lock
 * held.
 */
char *pomp_source_path(const char *file, const char *folder);

#endif
