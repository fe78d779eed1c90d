/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each process may leave a file of AddressSanitizer or MemorySanitizer, "memory." and the process
 * id; or two files: the preloaded library's, named by the process id, and
 * ThreadSanitizer's output, "tsan." and the process id. Both contain the same reports. The
 * library's has more information, and is missing if the library could not be attached.
 */
#include "collection.h"

#include "text-file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TSAN_PREFIX   "tsan."
#define MEMORY_PREFIX "memory."

/* The line with ThreadSanitizer's fatal message, or NULL. */
static const char *find_fatal(struct inst_arena *arena, const char *text)
{
	const char *found = strstr(text, "FATAL: ");

	return found != NULL ? arena_copy(arena, found, strcspn(found, "\n")) : NULL;
}

static void take_tsan(struct race_reports *reports, const struct text_file *file, bool has_log,
    unsigned run, struct race_collected *collected)
{
	collected->seen |= strstr(file->bytes, "ThreadSanitizer") != NULL;
	if (strstr(file->bytes, "unexpected memory mapping") != NULL)
		collected->wrong_mappings = true;
	else if (collected->fatal == NULL)
		collected->fatal = find_fatal(reports->arena, file->bytes);
	if (!has_log)
		race_tsan_text_read(reports, file->bytes, file->length, run);
}

static void take_file(struct race_reports *reports, const char *folder, const char *name,
    unsigned run, struct race_collected *collected)
{
	const char *path = arena_format(reports->arena, "%s/%s", folder, name);
	struct text_file file;

	if (text_file_read(path, &file) != 0)
		return;
	/* The arena may jump out of this function, so it must already own the text. */
	struct text_file text = {arena_copy(reports->arena, file.bytes, file.length), file.length};
	text_file_finish(&file);
	if (isdigit((unsigned char)name[0])) {
		const char *problem = race_log_read(reports, text.bytes, text.length, run);
		collected->seen = true;
		if (problem != NULL)
			collected->problem =
			    arena_format(reports->arena, "the log '%s' %s", path, problem);
	} else if (strncmp(name, MEMORY_PREFIX, strlen(MEMORY_PREFIX)) == 0) {
		collected->seen = true;
		race_memory_text_read(reports, text.bytes, text.length, run);
	} else if (strncmp(name, TSAN_PREFIX, strlen(TSAN_PREFIX)) == 0) {
		const char *log =
		    arena_format(reports->arena, "%s/%s", folder, name + strlen(TSAN_PREFIX));
		take_tsan(reports, &text, access(log, R_OK) == 0, run, collected);
	}
}

/* The names of the folder's files (heap), in alphabetical order. */
static void list_files(const char *folder, struct words *names)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		words_add(names, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

struct race_collected race_collect(
    struct race_reports *reports, struct words *names, const char *folder, unsigned run)
{
	struct race_collected collected = {0};

	words_finish(names);
	list_files(folder, names);
	for (size_t i = 0; i < names->count; i++)
		take_file(reports, folder, names->items[i], run, &collected);
	return collected;
}
