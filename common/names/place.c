/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a place in a module's code as text, and reads it back. */
#include "shared/code-names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Indexed by enum code_at. */
static const char *const at_words[] = {
    [CODE_ENTRY] = "entry",
    [CODE_RETURN] = "return",
};

char *code_place_print(const struct code_place *place)
{
	char caller[24] = "";
	char *text;

	if (place->caller != 0)
		snprintf(caller, sizeof(caller), ":%" PRIx64, place->caller);
	if (asprintf(&text, CODE_PLACE_PREFIX "%s+0x%" PRIx64 " %s%s %s %s", place->module,
		place->offset, at_words[place->at], caller, place->is_gnu ? "gnu" : "other",
		place->build_id[0] != '\0' ? place->build_id : "-") < 0)
		return NULL;
	return text;
}

/* Cuts off the last word and returns it; NULL if there is none. */
static char *cut_word(char *text)
{
	char *blank = strrchr(text, ' ');

	if (blank == NULL)
		return NULL;
	*blank = '\0';
	return blank + 1;
}

bool code_place_read(char *text, struct code_place *place)
{
	const size_t prefix = strlen(CODE_PLACE_PREFIX);

	if (strncmp(text, CODE_PLACE_PREFIX, prefix) != 0)
		return false;
	text += prefix;
	const char *build_id = cut_word(text);
	const char *code = build_id != NULL ? cut_word(text) : NULL;
	char *at = code != NULL ? cut_word(text) : NULL, *end;
	char *plus = at != NULL ? strrchr(text, '+') : NULL;
	if (plus == NULL || strncmp(plus, "+0x", 3) != 0)
		return false;
	char *colon = strchr(at, ':');
	place->caller = colon != NULL ? strtoull(colon + 1, NULL, 16) : 0;
	if (colon != NULL)
		*colon = '\0';
	if (strcmp(at, at_words[CODE_ENTRY]) != 0 && strcmp(at, at_words[CODE_RETURN]) != 0)
		return false;
	place->offset = strtoull(plus + 1, &end, 16);
	if (end == plus + 3 || *end != '\0')
		return false;
	*plus = '\0';
	place->module = text;
	place->build_id = strcmp(build_id, "-") == 0 ? "" : build_id;
	place->at = strcmp(at, at_words[CODE_ENTRY]) == 0 ? CODE_ENTRY : CODE_RETURN;
	place->is_gnu = strcmp(code, "gnu") == 0;
	return true;
}

char *code_place_short(const struct code_place *place)
{
	const char *name = code_file_name(place->module);
	char *text;

	if (asprintf(&text, "%s+0x%" PRIx64, name[0] != '\0' ? name : "?", place->offset) < 0)
		return NULL;
	return text;
}
