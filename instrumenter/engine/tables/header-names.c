/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program may use a name of pomp.h for something else: as a macro defined before the include, or
 * as a name of its own. The text then does not include pomp.h.
 */
#include "header-names.h"

#include <stddef.h>
#include <string.h>

/*
 * The words of pomp.h's text other than pomp_ and POMP_ names: a macro with such a name would
 * change it.
 */
static const char *const header_words[] = {
    "OMPRegDescr",
    "begin_line1",
    "begin_lineN",
    "count",
    "data",
    "default",
    "end_line1",
    "end_lineN",
    "file_name",
    "first",
    "folder",
    "fork",
    "hint",
    "lock",
    "name",
    "next",
    "num_sections",
    "ompregdescr",
    "push",
    "pop",
    "region",
    "sub_name",
    "task",
    "value",
    "variable",
    "visibility",
};

static bool is_header_word(const char *name)
{
	for (size_t i = 0; i < sizeof header_words / sizeof *header_words; i++)
		if (strcmp(name, header_words[i]) == 0)
			return true;
	return false;
}

bool is_pomp_header_name(const char *name)
{
	return strncmp(name, "pomp_", 5) == 0 || strncmp(name, "POMP_", 5) == 0 ||
	       strcmp(name, "OMPRegDescr") == 0 || strcmp(name, "ompregdescr") == 0;
}

bool may_conflict_with_header(const char *name, bool in_front)
{
	return is_pomp_header_name(name) || strcmp(name, "WORD") == 0 ||
	       (in_front && is_header_word(name));
}
