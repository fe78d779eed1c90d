/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the program's source, where the files that the archive names can be read. */
#ifndef SOURCE_LINES_H
#define SOURCE_LINES_H

#include <stddef.h>

struct source_file;

/* All zero bytes is an empty one. Every file is read once. */
struct sources {
	struct source_file *files;
	size_t count, room;
};

/*
 * The line, from 1, without the blanks around it; NULL when the file cannot be read, is no plain
 * file or has no such line. Valid until sources_free().
 */
const char *sources_line(struct sources *sources, const char *path, int line);
/* The same with the blanks before it. */
const char *sources_written_line(struct sources *sources, const char *path, int line);
/*
 * What has to be known of the file's lines, or "": that they cannot be read here, or that they are
 * younger than the archive.
 */
const char *sources_remark(struct sources *sources, const char *path, const char *archive);
void sources_free(struct sources *sources);

#endif
