/* SPDX-License-Identifier: BSD-3-Clause */
/* The constructs of C and C++: finds what follows each pragma, by its tokens. */
#include "race-source.h"

#include "delimiter.h"
#include "pragma-scan.h"

#include <string.h>

static int line_of(const struct inst_scan *scan, size_t offset)
{
	return scan_place(scan, offset).line;
}

static enum directive_body body_of(const struct race_construct *construct)
{
	return construct->use.leaf_count > 0 ? construct->use.leaves[0]->body : BODY_NONE;
}

/* A section ends at the next one, or at the end of the construct around it. */
static void end_sections(struct race_text *text)
{
	for (int i = 0; i < text->construct_count; i++) {
		struct race_construct *section = &text->constructs[i];
		int end = -1;
		if (!directive_is(&section->use, CONSTRUCT_SECTION))
			continue;
		for (int j = i - 1; j >= 0 && end < 0; j--)
			if (race_construct_has(&text->constructs[j], CONSTRUCT_SECTIONS) &&
			    text->constructs[j].end >= section->line)
				end = text->constructs[j].end - 1;
		for (int j = i + 1; j < text->construct_count; j++) {
			const struct race_construct *next = &text->constructs[j];
			if (directive_is(&next->use, CONSTRUCT_SECTION) && next->line <= end) {
				end = next->line - 1;
				break;
			}
		}
		section->end = end;
	}
}

void race_c_constructs(
    struct inst_arena *arena, struct race_text *text, const char *bytes, size_t length)
{
	struct inst_scan scan = {0};

	scan_text(arena, bytes, length, text->path, &scan);
	for (size_t i = 0; i < scan.pragma_count; i++) {
		const struct inst_pragma *pragma = &scan.pragmas[i];
		if (pragma->user)
			continue;
		struct race_construct *construct =
		    race_construct_add(arena, text, pragma->words, line_of(&scan, pragma->begin));
		enum directive_body body = body_of(construct);
		if (body == BODY_NONE || body == BODY_SECTION || body == BODY_DECLARATION)
			continue;
		size_t end = statement_end(bytes, length, pragma->next);
		if (end > 0)
			construct->end = line_of(&scan, end - 1);
	}
	end_sections(text);
}
