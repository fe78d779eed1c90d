/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of folded stacks: names between semicolons. */
#ifndef FOLDED_FRAME_H
#define FOLDED_FRAME_H

#include <stdio.h>
#include <stdlib.h>

#include "archive.h"
#include "common/terminal-text.h"

/* Replaces characters that would end the name or the line, or control a terminal. */
static inline void folded_frame(FILE *out, const char *name)
{
	const char *shown;
	int bytes;

	while (text_next_column(&name, &shown, &bytes) >= 0)
		fprintf(out, "%.*s", bytes, *shown == ';' ? ":" : shown);
}

static inline void folded_process(FILE *out, const struct archive *archive, uint32_t group)
{
	char *name = archive_process_name(archive, group);

	folded_frame(out, name);
	free(name);
}

#endif
