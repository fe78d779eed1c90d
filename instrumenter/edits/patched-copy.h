/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the user's files with the edits of a patch, to be compiled in place of the originals.
 */
#ifndef PATCHED_COPY_H
#define PATCHED_COPY_H

#include "patch.h"

/*
 * Writes all files with edits, and the named one, under their absolute paths below the folder, so
 * that one finds another by its relative path. Returns the path of the named one (heap), or NULL
 * with errno.
 */
char *patched_copy_make(const struct patch *patch, const char *folder, const char *name);

/*
 * Does the preprocessed text have no file whose copy should have taken its place? Headers that the
 * compiler finds by -I are not replaced.
 */
bool patched_copy_is_complete(
    const struct patch *patch, const char *folder, const struct text_file *preprocessed);

#endif
