/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names, sizes and times of change say which files a run has written. Content is compared by a
 * hash, since the next run writes over it.
 */
#include "written-files.h"

#include "shared/array.h"
#include "shared/text-hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 32, BLOCK = 4096, BLOCKS_MOST = 65536 };

static void add_file(struct folder_state *state, const char *name, const struct stat *status)
{
	struct folder_file file = {strdup(name), status->st_size, status->st_ino, status->st_mtim};

	if (file.name == NULL || state->count == WRITTEN_LOOKED_AT ||
	    !ARRAY_PUSH(state->files, state->count, state->capacity, file)) {
		free(file.name);
		state->is_incomplete = true;
	}
}

/* ompinst's own temporary files may lie in the current folder. */
static bool is_own(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	       strncmp(name, "ompinst-", 8) == 0;
}

static void look_at(struct folder_state *state, const char *folder, unsigned depth)
{
	DIR *stream = opendir(folder);

	for (const struct dirent *entry;
	     stream != NULL && !state->is_incomplete && (entry = readdir(stream)) != NULL;) {
		struct stat status;
		char *path = NULL;

		if (is_own(entry->d_name))
			continue;
		if (asprintf(&path, "%s%s%s", depth > 0 ? folder : "", depth > 0 ? "/" : "",
			entry->d_name) < 0) {
			state->is_incomplete = true;
			break;
		}
		if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && depth < DEEPEST)
			look_at(state, path, depth + 1);
		else if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
			add_file(state, path, &status);
		free(path);
	}
	if (stream != NULL)
		closedir(stream);
}

static int compare_names(const void *one, const void *other)
{
	return strcmp(
	    ((const struct folder_file *)one)->name, ((const struct folder_file *)other)->name);
}

void folder_state_read(struct folder_state *state)
{
	folder_state_finish(state);
	look_at(state, ".", 0);
	if (state->count > 0)
		qsort(state->files, state->count, sizeof state->files[0], compare_names);
}

void folder_state_finish(struct folder_state *state)
{
	for (size_t i = 0; i < state->count; i++)
		free(state->files[i].name);
	free(state->files);
	*state = (struct folder_state){.count = 0};
}

/* A hash of the file's size and of its first 256 MB; 0 if it cannot be read. */
static uint64_t hash_of(const char *name)
{
	unsigned char block[BLOCK];
	uint64_t hash = TEXT_HASH_START;
	int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat status;
	ssize_t length = -1;

	if (file < 0)
		return 0;
	for (unsigned i = 0; i < BLOCKS_MOST && (length = read(file, block, BLOCK)) > 0; i++)
		for (ssize_t k = 0; k < length; k++)
			hash = text_hash_byte(hash, block[k]);
	if (length < 0 || fstat(file, &status) != 0)
		hash = 0;
	else
		hash ^= (uint64_t)status.st_size;
	close(file);
	return hash;
}

static bool is_same(const struct folder_file *one, const struct folder_file *other)
{
	return one->size == other->size && one->inode == other->inode &&
	       one->changed.tv_sec == other->changed.tv_sec &&
	       one->changed.tv_nsec == other->changed.tv_nsec;
}

/* The files of the second state that are not as in the first. */
static void find_written(struct written_files *written, const struct folder_state *before,
    const struct folder_state *after)
{
	for (size_t i = 0; i < after->count; i++) {
		const struct folder_file *old =
		    before->count == 0 ? NULL
				       : bsearch(&after->files[i], before->files, before->count,
					     sizeof before->files[0], compare_names);
		struct written_file file = {.name = NULL};

		if (old != NULL && is_same(old, &after->files[i]))
			continue;
		file.name = strdup(after->files[i].name);
		file.content = hash_of(after->files[i].name);
		if (file.name == NULL ||
		    !ARRAY_PUSH(written->files, written->count, written->capacity, file))
			free(file.name);
	}
}

void written_files_note(struct written_files *written, struct folder_state *before)
{
	struct folder_state after = {.count = 0};

	for (size_t i = 0; i < written->count; i++)
		written->files[i].differs |=
		    hash_of(written->files[i].name) != written->files[i].content;
	if (written->is_known || before->is_incomplete)
		return;
	written->is_known = true;
	folder_state_read(&after);
	if (!after.is_incomplete)
		find_written(written, before, &after);
	folder_state_finish(before);
	*before = after;
}

char *written_files_difference(const struct written_files *written)
{
	char *text = NULL;

	for (size_t i = 0; i < written->count && text == NULL; i++) {
		const struct written_file *file = &written->files[i];
		struct stat status;

		if (file->differs || hash_of(file->name) == file->content)
			continue;
		if (asprintf(&text,
			lstat(file->name, &status) == 0
			    ? "leaves other content in the file '%s' than the unchanged program"
			    : "leaves no file '%s', which the unchanged program does",
			file->name) < 0)
			text = NULL;
	}
	return text;
}

void written_files_finish(struct written_files *written)
{
	for (size_t i = 0; i < written->count; i++)
		free(written->files[i].name);
	free(written->files);
	*written = (struct written_files){.count = 0};
}

void written_files_list(
    const struct written_files *inputs, size_t count, bool differing, struct words *names)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < inputs[i].count; k++) {
			const struct written_file *file = &inputs[i].files[k];
			size_t known = 0;

			while (known < names->count && strcmp(names->items[known], file->name) != 0)
				known++;
			if (known == names->count && (file->differs || !differing))
				words_add(names, file->name);
		}
}
