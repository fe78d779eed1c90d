/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening and closing an archive: from a path to an open OTF2 reader with its definitions read. The
 * OTF2 library would print its errors; this file keeps them for ompreport's own messages.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "anchor-file.h"
#include "definitions.h"
#include "memory.h"
#include "shared/text-hash.h"

/*
 * The library has one error callback for the whole process and calls it in the thread that reads
 * the archive. Threads that read at the same time each have their own archive.
 */
static _Thread_local struct archive *read_here;

void archive_take_errors(struct archive *archive)
{
	read_here = archive;
}

static OTF2_ErrorCode keep_error(void *context, const char *file, uint64_t line,
    const char *function, OTF2_ErrorCode code, const char *format, va_list arguments)
{
	struct archive *archive = read_here ? read_here : context;
	char text[400];

	(void)file, (void)line, (void)function;
	vsnprintf(text, sizeof(text), format, arguments);
	free(archive->last_error);
	archive->last_error =
	    memory_print("%s%s%s", OTF2_Error_GetDescription(code), text[0] ? ": " : "", text);
	return code;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The folder's traces.otf2, or its only file that ends in .otf2. */
static char *find_anchor(const char *folder, char **error)
{
	char *anchor = memory_print("%s/traces.otf2", folder);
	struct stat status;
	struct dirent *entry;
	int found = 0;
	DIR *directory;

	if (stat(anchor, &status) == 0)
		return anchor;
	free(anchor);
	anchor = NULL;
	directory = opendir(folder);
	if (!directory) {
		*error = memory_print("cannot be read: %s", strerror(errno));
		return NULL;
	}
	while ((entry = readdir(directory))) {
		if (!ends_with(entry->d_name, ".otf2"))
			continue;
		free(anchor);
		anchor = memory_print("%s/%s", folder, entry->d_name);
		found++;
	}
	closedir(directory);
	if (found == 1)
		return anchor;
	free(anchor);
	*error = memory_print(found ? "the folder holds %d archives (*.otf2); name one of them"
				    : "the folder holds no archive (traces.otf2 is missing)",
	    found);
	return NULL;
}

static char *resolve(const char *path, char **error)
{
	struct stat status;

	if (stat(path, &status) != 0) {
		*error = memory_print("%s", strerror(errno));
		return NULL;
	}
	if (S_ISDIR(status.st_mode))
		return find_anchor(path, error);
	if (!ends_with(path, ".otf2")) {
		*error =
		    memory_copy_text("not an OTF2 archive (expected a folder or a file *.otf2)");
		return NULL;
	}
	return memory_copy_text(path);
}

static char *folder_of(const char *path)
{
	char *folder = memory_copy_text(path);
	char *slash = strrchr(folder, '/');

	if (!slash)
		return free(folder), memory_copy_text(".");
	slash[slash == folder] = '\0';
	return folder;
}

static void read_properties(struct archive *archive)
{
	char **names = NULL;
	uint32_t count = 0;

	if (OTF2_Reader_GetPropertyNames(archive->reader, &count, &names) != OTF2_SUCCESS)
		return;
	archive->properties = memory_new(count, sizeof(archive->properties[0]));
	for (uint32_t i = 0; i < count; i++) {
		struct archive_property *property = &archive->properties[archive->property_count];

		if (OTF2_Reader_GetProperty(archive->reader, names[i], &property->value) !=
		    OTF2_SUCCESS)
			continue;
		property->name = memory_copy_text(names[i]);
		archive->property_count++;
	}
	free(names);
}

/* The hosts that the processes ran on, if the anchor does not name a machine. */
static void find_machine(struct archive *archive)
{
	const char *first = NULL;
	size_t others = 0;
	struct map hosts = {0};

	for (size_t i = 0; i < archive->process_count; i++) {
		const char *host = archive->groups[i].host;
		uint64_t hash = text_hash(TEXT_HASH_START, host);

		if (!host[0] || map_find(&hosts, hash) != MAP_NONE)
			continue;
		memory_map_set(&hosts, hash, i);
		others += first != NULL;
		first = first ? first : host;
	}
	map_free(&hosts);
	if (!first)
		return;
	free(archive->machine);
	archive->machine =
	    others ? memory_print("%s and %zu more", first, others) : memory_copy_text(first);
}

struct archive *archive_open(const char *path, char **error)
{
	struct archive *archive;
	char *anchor = resolve(path, error);
	const char *trouble;

	if (!anchor)
		return NULL;
	trouble = anchor_file_trouble(anchor);
	if (trouble) {
		*error = memory_print("not an OTF2 archive, or a damaged one (%s)", trouble);
		free(anchor);
		return NULL;
	}
	archive = memory_new(1, sizeof(*archive));
	archive->blocked_generator = OTF2_UNDEFINED_INTERRUPT_GENERATOR;
	archive->fault_generator = OTF2_UNDEFINED_INTERRUPT_GENERATOR;
	archive->counted_generator = OTF2_UNDEFINED_INTERRUPT_GENERATOR;
	archive->path = anchor;
	archive->folder = folder_of(anchor);
	OTF2_Error_RegisterCallback(keep_error, archive);
	archive->reader = OTF2_Reader_Open(anchor);
	if (!archive->reader) {
		*error = memory_print("not an OTF2 archive, or a damaged one (%s)",
		    archive->last_error ? archive->last_error : "no reason given");
		archive_close(archive);
		return NULL;
	}
	OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader);
	OTF2_Reader_GetMachineName(archive->reader, &archive->machine);
	OTF2_Reader_GetCreator(archive->reader, &archive->creator);
	OTF2_Reader_GetDescription(archive->reader, &archive->description);
	read_properties(archive);
	if (archive_read_definitions(archive, error) != 0) {
		archive_close(archive);
		return NULL;
	}
	if (!archive->machine || !archive->machine[0])
		find_machine(archive);
	return archive;
}

void archive_close(struct archive *archive)
{
	if (!archive)
		return;
	if (archive->reader)
		OTF2_Reader_Close(archive->reader);
	OTF2_Error_RegisterCallback(NULL, NULL);
	for (size_t i = 0; i < archive->string_count; i++)
		free((char *)archive->strings[i]);
	for (size_t i = 0; i < archive->property_count; i++) {
		free(archive->properties[i].name);
		free(archive->properties[i].value);
	}
	for (size_t i = 0; i < archive->warning_count; i++)
		free(archive->warnings[i]);
	map_free(&archive->string_of);
	map_free(&archive->region_of);
	map_free(&archive->location_of);
	map_free(&archive->group_of);
	map_free(&archive->comm_of);
	map_free(&archive->list_of);
	map_free(&archive->metric_of);
	map_free(&archive->metric_class_of);
	map_free(&archive->context_of);
	map_free(&archive->file_of);
	map_free(&archive->line_of);
	map_free(&archive->host_of);
	map_free(&archive->lock_name_of);
	for (size_t i = 0; i < archive->caller_count; i++)
		free(archive->callers[i].text);
	free(archive->callers);
	free(archive->strings);
	free(archive->regions);
	for (size_t i = 0; i < archive->location_count; i++) {
		if (archive->locations[i].label != archive->locations[i].name)
			free((char *)archive->locations[i].label);
	}
	free(archive->locations);
	free(archive->group_of_rank);
	free(archive->groups);
	free(archive->comms);
	for (size_t i = 0; i < archive->list_count; i++)
		free(archive->lists[i].members);
	free(archive->lists);
	free(archive->contexts);
	free(archive->metrics);
	for (size_t i = 0; i < archive->metric_class_count; i++)
		free(archive->metric_classes[i].metrics);
	free(archive->metric_classes);
	free(archive->properties);
	free(archive->warnings);
	free(archive->arguments);
	free(archive->machine);
	free(archive->creator);
	free(archive->description);
	free(archive->last_error);
	free(archive->folder);
	free(archive->path);
	free(archive);
}
