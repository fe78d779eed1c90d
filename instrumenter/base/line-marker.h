/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines `# LINE "FILE" FLAGS` of preprocessed text. */
#ifndef LINE_MARKER_H
#define LINE_MARKER_H

#include <stdbool.h>
#include <stddef.h>

struct line_marker {
	const char
	    *file; /* between the quotes, not NUL-terminated; a name with escapes matches no file */
	size_t file_length;
	int line; /* number of the line that follows */
};

/* Reads the line [at, end); false if it is not a marker. */
bool line_marker_read(const char *at, const char *end, struct line_marker *marker);

/* Does the marker name that file? */
bool line_marker_names(const struct line_marker *marker, const char *file, size_t length);

#endif
