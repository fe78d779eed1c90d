/* SPDX-License-Identifier: BSD-3-Clause */
/* Each entry "FILE:LINE=VALUE" becomes one edit, unless the text there does not allow it. */
#include "tuned-patch.h"

#include "fix-edits.h"
#include "shared/loop-schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variable of such entries, and the clause that it stands for; NULL: one with a grain. */
static const struct kind {
	const char *setting, *place, *construct, *clause;
} kinds[] = {
    {LOOP_SCHEDULE_SETTING, "loop", "for", "schedule"},
    {REGION_THREADS_SETTING, "region", "parallel", "num_threads"},
    {TASK_GRAIN_SETTING, "task", NULL, NULL},
};

/* One entry, cut into its parts. */
struct entry {
	char *file;
	const char *line, *value;
};

static bool read_entry(char *text, struct entry *entry)
{
	char *equals = strrchr(text, '='), *colon;

	if (equals == NULL)
		return false;
	*equals = '\0';
	colon = strrchr(text, ':');
	if (colon == NULL)
		return false;
	*colon = '\0';
	*entry = (struct entry){text, colon + 1, equals + 1};
	return true;
}

/* The file's real path (heap): as named, else from the program's folder; NULL if there is none. */
static char *find_file(const char *name, const char *program)
{
	const char *slash = strrchr(program, '/');
	char *path = realpath(name, NULL), *longer = NULL;

	if (path != NULL || name[0] == '/' || slash == NULL)
		return path;
	if (asprintf(&longer, "%.*s/%s", (int)(slash - program), program, name) >= 0)
		path = realpath(longer, NULL);
	free(longer);
	return path;
}

/*
 * Has the patch an edit of the same clause? Another name of the file can name the same place. Two
 * clauses that are added at one place have different names.
 */
static bool is_edited(const struct patch_file *file, const struct patch_edit *edit)
{
	for (size_t i = 0; i < file->count; i++) {
		const struct patch_edit *other = &file->edits[i];
		if (other->begin == edit->begin &&
		    (edit->end > edit->begin ||
			strncmp(other->text, edit->text, strcspn(edit->text, "(")) == 0))
			return true;
	}
	return false;
}

static void edit_place(struct tuned_patch *patch, const struct entry *entry,
    const struct kind *kind, const char *program)
{
	const struct valued_clause clause = {kind->construct, kind->clause, entry->value};
	char *path = find_file(entry->file, program);
	struct patch_edit edit = {.text = NULL};
	const int line = (int)strtol(entry->line, NULL, 10);
	const char *obstacle;
	size_t file = 0;

	if (path == NULL)
		obstacle = "its file is not found from here";
	else if (kind->clause != NULL)
		obstacle = fix_edit_clause(&patch->patch, path, line, &clause, &file, &edit);
	else
		obstacle = fix_edit_grain(&patch->patch, path, line, entry->value, &file, &edit);
	if (obstacle == NULL && is_edited(&patch->patch.files[file], &edit))
		obstacle = "two changes of this place exclude each other";
	if (obstacle == NULL) {
		patch_add(&patch->patch, file, &edit);
		patch->changes++;
	} else {
		words_add_format(&patch->left_out, "The %s at %s:%s keeps its text: %s",
		    kind->place, entry->file, entry->line, obstacle);
	}
	free(edit.text);
	free(path);
}

/* Does a later entry name the same loop? The later one holds. */
static bool is_overridden(const char *entry, const char *rest)
{
	size_t length = strcspn(entry, "=") + 1;

	while (rest[0] != '\0' && strncmp(rest, entry, length) != 0) {
		rest += strcspn(rest, ";");
		rest += strspn(rest, ";");
	}
	return rest[0] != '\0';
}

static void edit_places(
    struct tuned_patch *patch, const char *variable, const struct kind *kind, const char *program)
{
	char *text = strdup(variable + strlen(kind->setting) + 1);

	for (char *at = text, *next; at != NULL && *at != '\0'; at = next) {
		struct entry entry;
		next = at + strcspn(at, ";");
		if (*next != '\0')
			*next++ = '\0';
		if (!is_overridden(at, next) && read_entry(at, &entry))
			edit_place(patch, &entry, kind, program);
	}
	free(text);
}

void tuned_patch_make(const struct words *variables, const char *program, struct tuned_patch *patch)
{
	*patch = (struct tuned_patch){.patch.prefixed = true};
	for (size_t i = 0; i < variables->count; i++)
		for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
			size_t name = strlen(kinds[k].setting);
			if (strncmp(variables->items[i], kinds[k].setting, name) == 0 &&
			    variables->items[i][name] == '=')
				edit_places(patch, variables->items[i], &kinds[k], program);
		}
}

void tuned_patch_finish(struct tuned_patch *patch)
{
	patch_finish(&patch->patch);
	words_finish(&patch->left_out);
}
