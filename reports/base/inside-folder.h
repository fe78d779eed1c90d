/* SPDX-License-Identifier: BSD-3-Clause */
/* Source files as services know them that show reports beside the code of a repository. */
#ifndef INSIDE_FOLDER_H
#define INSIDE_FOLDER_H

/* The part of a path below the current folder; the whole path where it leads elsewhere. */
const char *inside_folder(const char *path);

#endif
