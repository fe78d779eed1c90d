/* SPDX-License-Identifier: BSD-3-Clause */
/* Phrases that the sentences and the remedies of a finding share. */
#include "explanation.h"

#include <string.h>
#include <unistd.h>

const char *race_short_path(const char *path)
{
	char folder[4096];

	if (getcwd(folder, sizeof folder) == NULL || strcmp(folder, "/") == 0)
		return path;
	size_t length = strlen(folder);
	return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

const char *race_construct_text(
    struct inst_arena *arena, const struct race_text *text, const struct race_construct *construct)
{
	return arena_format(
	    arena, "'%s' at %s:%d", construct->name, race_short_path(text->path), construct->line);
}

bool race_reads_another(const struct race_finding *finding, const struct race_words *words)
{
	return finding->one_place && finding->side[0].reads && finding->side[0].writes &&
	       words->expression[0] != NULL && words->expression[1] != NULL &&
	       strcmp(words->expression[0], words->expression[1]) != 0;
}
