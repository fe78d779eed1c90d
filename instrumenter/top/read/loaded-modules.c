/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses /proc/PID/maps, of which only lines with a file matter. */
#include "loaded-modules.h"

#include "shared/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any program has; a hostile one must not fill the memory. */
enum { MOST_MODULES = 1 << 14 };

/* A file's mappings follow each other; the first one begins the module. */
static bool add_mapping(
    struct loaded_modules *modules, uint64_t begin, uint64_t end, uint64_t offset, const char *path)
{
	struct loaded_module *last =
	    modules->count > 0 ? &modules->items[modules->count - 1] : NULL;

	if (offset == 0 && (last == NULL || strcmp(last->path, path) != 0)) {
		struct loaded_module module = {strdup(path), begin, end};
		if (module.path == NULL || modules->count >= MOST_MODULES ||
		    !ARRAY_PUSH(modules->items, modules->count, modules->capacity, module)) {
			free(module.path);
			return false;
		}
	} else if (last != NULL && strcmp(last->path, path) == 0 && end > last->end) {
		last->end = end;
	}
	return true;
}

static bool add_line(struct loaded_modules *modules, char *line)
{
	uint64_t begin, end, offset;
	int path = -1;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &begin, &end,
		&offset, &path) < 3 ||
	    path < 0 || line[path] != '/' || begin == 0 || end <= begin)
		return true;
	return add_mapping(modules, begin, end, offset, line + path);
}

int modules_read(pid_t process, struct loaded_modules *modules)
{
	char path[64];
	char *line = NULL;
	size_t room = 0;
	bool has_room = true;

	*modules = (struct loaded_modules){NULL, 0, 0};
	snprintf(path, sizeof path, "/proc/%ld/maps", (long)process);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return errno;
	errno = 0;
	while (has_room && getline(&line, &room, file) > 0)
		has_room = add_line(modules, line);
	int problem = !has_room ? ENOMEM : ferror(file) ? errno : 0;
	free(line);
	fclose(file);
	if (problem != 0)
		modules_finish(modules);
	return problem;
}

const struct loaded_module *modules_find(const struct loaded_modules *modules, uint64_t address)
{
	for (size_t i = 0; i < modules->count; i++)
		if (address >= modules->items[i].begin && address < modules->items[i].end)
			return &modules->items[i];
	return NULL;
}

void modules_finish(struct loaded_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		free(modules->items[i].path);
	free(modules->items);
	*modules = (struct loaded_modules){NULL, 0, 0};
}
