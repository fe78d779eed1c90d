/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths in a form that lists in environment variables can contain. */
#ifndef LOADER_PATH_H
#define LOADER_PATH_H

/*
 * A path (heap) of the file without blanks and colons, which separate the entries of LD_PRELOAD and
 * OMP_TOOL_LIBRARIES: its own, or one through a link to its folder. The link is in the user's
 * folder 'ompinst-UID', below the first of XDG_RUNTIME_DIR, TMPDIR, /tmp and /var/tmp where that is
 * possible. It stays there for programs that are still running. NULL if no such path is possible,
 * or if memory ran out.
 */
char *loader_path(const char *file);

#endif
