/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the program's source, if the files that the archive names can be read. */
#ifndef SOURCE_LINES_H
#define SOURCE_LINES_H

#include <stddef.h>

struct source_file;

/* Initially all zero bytes. Every file is read once. */
struct sources {
	struct source_file *files;
	size_t count, room;
};

/*
 * The line, from 1, without blanks around it; NULL if the file cannot be read, is not a regular
 * file or has no such line. Valid until sources_free().
 */
const char *sources_line(struct sources *sources, const char *path, int line);
/* The same with leading blanks. */
const char *sources_written_line(struct sources *sources, const char *path, int line);
/*
 * A remark on the file's lines, or "": they cannot be read here, or the file is newer than the
 * archive.
 */
const char *sources_remark(struct sources *sources, const char *path, const char *archive);
void sources_free(struct sources *sources);

#endif
