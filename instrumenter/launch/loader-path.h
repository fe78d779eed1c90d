/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths as the lists of the environment can hold them. */
#ifndef LOADER_PATH_H
#define LOADER_PATH_H

/*
 * A path (heap) of the file that has neither a blank nor a colon, which separate the entries of
 * LD_PRELOAD and OMP_TOOL_LIBRARIES: its own, or one through a link to its folder. The link lies in
 * a folder of the user's, 'ompinst-UID', below the first of XDG_RUNTIME_DIR, TMPDIR, /tmp and
 * /var/tmp in which that can be; it stays there, for programs that are still running. NULL when
 * there is none, or no memory.
 */
char *loader_path(const char *file);

#endif
