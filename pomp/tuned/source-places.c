/* SPDX-License-Identifier: BSD-3-Clause */
/* Only reads texts, and says what is wrong with them. */
#include "source-places.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int pomp_source_number(const char *text, size_t length)
{
	char *end;

	if (length == 0 || text[0] < '0' || text[0] > '9')
		return 0;
	errno = 0;
	long number = strtol(text, &end, 10);
	return end == text + length && errno == 0 && number > 0 && number <= INT_MAX ? (int)number
										     : 0;
}

/* False if the bytes have another form. */
static bool read_place(const char *text, size_t length, struct source_place *place)
{
	const char *equals = memrchr(text, '=', length);
	const char *colon = equals != NULL ? memrchr(text, ':', (size_t)(equals - text)) : NULL;

	if (colon == NULL || colon == text)
		return false;
	*place = (struct source_place){.text = text,
	    .length = length,
	    .file_length = (size_t)(colon - text),
	    .line = pomp_source_number(colon + 1, (size_t)(equals - colon - 1)),
	    .value = equals + 1};
	return place->line != 0;
}

bool pomp_source_place_is(const struct source_place *place, const OMPRegDescr *region)
{
	if (place->line != region->begin_line1)
		return false;
	const char *file = region->file_name;
	size_t length = strlen(file), rest = length - place->file_length;

	return length >= place->file_length &&
	       memcmp(file + rest, place->text, place->file_length) == 0 &&
	       (rest == 0 || file[rest - 1] == '/');
}

void pomp_source_places_read(
    const struct source_places_reading *reading, const char *text, FILE *messages)
{
	while (*text != '\0') {
		size_t length = strcspn(text, ";");
		struct source_place place;
		bool failed = false;

		if (length > 0 &&
		    !(read_place(text, length, &place) && reading->add(&place, &failed)))
			fprintf(messages,
			    "pomp: %s: '%.*s': expected FILE:LINE=%s; it is ignored\n",
			    reading->setting, (int)length, text, reading->expected);
		else if (failed)
			fprintf(messages, "pomp: %s: '%.*s': out of memory; it is ignored\n",
			    reading->setting, (int)length, text);
		text += length + (text[length] == ';');
	}
}
