/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list in the order of the setting, which is searched at each execution of a loop: it is short,
 * and almost all entries differ in the line already. Without the setting it is empty.
 */
#include "loop-schedules.h"

#include "pomp-atomics.h"
#include "shared/array.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	const char *text; /* in the setting's value, with its length */
	size_t length;
	size_t file_length; /* the file's name is the entry's begin */
	int line;
	struct loop_schedule schedule;
	_Atomic uint32_t used; /* 1: a loop had the schedule. Relaxed: it publishes nothing. */
};

static struct {
	struct entry *entries;
	size_t count, capacity;
} list;

/* A number of 1 to INT_MAX that is the whole text; 0 if it is not. */
static int read_number(const char *text, size_t length)
{
	char *end;

	if (length == 0 || text[0] < '0' || text[0] > '9')
		return 0;
	errno = 0;
	long number = strtol(text, &end, 10);
	return end == text + length && errno == 0 && number > 0 && number <= INT_MAX ? (int)number
										     : 0;
}

/* Reads `length` bytes of the form FILE:LINE=KIND or FILE:LINE=KIND,CHUNK. */
static bool read_entry(const char *text, size_t length, struct entry *entry)
{
	const char *equals = memrchr(text, '=', length);
	const char *colon = equals != NULL ? memrchr(text, ':', (size_t)(equals - text)) : NULL;

	if (colon == NULL || colon == text)
		return false;
	const char *kind = equals + 1, *end = text + length;
	const char *comma = memchr(kind, ',', (size_t)(end - kind));
	const char *kind_end = comma != NULL ? comma : end;
	*entry = (struct entry){.text = text,
	    .length = length,
	    .file_length = (size_t)(colon - text),
	    .line = read_number(colon + 1, (size_t)(equals - colon - 1)),
	    .schedule.kind = loop_schedule_find(kind, (size_t)(kind_end - kind)),
	    .schedule.chunk =
		comma != NULL ? read_number(comma + 1, (size_t)(end - comma - 1)) : 0};
	return entry->line != 0 && entry->schedule.kind != LOOP_SCHEDULE_NONE &&
	       (comma == NULL || entry->schedule.chunk != 0);
}

void pomp_loop_schedules_read(const char *text, FILE *messages)
{
	while (*text != '\0') {
		size_t length = strcspn(text, ";");
		struct entry entry;

		if (length > 0 && !read_entry(text, length, &entry))
			fprintf(messages,
			    "pomp: POMP_LOOP_SCHEDULES: '%.*s': expected FILE:LINE=KIND or "
			    "FILE:LINE=KIND,CHUNK with the kind static, dynamic or guided; it is "
			    "ignored\n",
			    (int)length, text);
		else if (length > 0 && !ARRAY_PUSH(list.entries, list.count, list.capacity, entry))
			fprintf(messages,
			    "pomp: POMP_LOOP_SCHEDULES: '%.*s': out of memory; it is ignored\n",
			    (int)length, text);
		text += length + (text[length] == ';');
	}
}

/* Is the file's name, as the compiler knew it, the entry's, or does it end with that? */
static bool is_of_file(const struct entry *entry, const char *file)
{
	size_t length = strlen(file), rest = length - entry->file_length;

	return length >= entry->file_length &&
	       memcmp(file + rest, entry->text, entry->file_length) == 0 &&
	       (rest == 0 || file[rest - 1] == '/');
}

struct loop_schedule pomp_loop_schedule_of(const OMPRegDescr *loop, struct loop_schedule written)
{
	for (size_t i = list.count; i-- > 0;) {
		struct entry *entry = &list.entries[i];

		if (entry->line != loop->begin_line1 || !is_of_file(entry, loop->file_name))
			continue;
		if (load_relaxed(&entry->used) == 0)
			store_relaxed(&entry->used, 1);
		return entry->schedule;
	}
	return written;
}

void pomp_loop_schedules_report(FILE *messages)
{
	for (size_t i = 0; i < list.count; i++)
		if (load_relaxed(&list.entries[i].used) == 0)
			fprintf(messages,
			    "pomp: POMP_LOOP_SCHEDULES: '%.*s' has changed nothing: the program "
			    "has executed no loop there that was built with --tunable-loops and may "
			    "have another schedule\n",
			    (int)list.entries[i].length, list.entries[i].text);
}
