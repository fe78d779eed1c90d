/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a region's source file is: the reader of a trace opens it from any folder. */
#ifndef SOURCE_PATH_H
#define SOURCE_PATH_H

/*
 * Returns the absolute path of a descriptor's file (heap), or NULL when it is already absolute or
 * unknown. `folder` is the folder in which the compiler ran, or NULL if unknown. Process lock held.
 */
char *pomp_source_path(const char *file, const char *folder);

#endif
