/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of source files for services that show reports beside the code of a repository. */
#ifndef INSIDE_FOLDER_H
#define INSIDE_FOLDER_H

/* The path relative to the current folder, or the whole path if it is outside. */
const char *inside_folder(const char *path);

#endif
