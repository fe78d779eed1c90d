/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements memory.h: the only place where the tool exits for lack of memory. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "shared/array.h"

static void end_without_memory(size_t count, size_t size)
{
	/* A program that calls the library ends, and never reads its own stream. */
	fprintf(stderr, "ompreport: out of memory (%zu x %zu bytes); nothing was written\n", count,
	    size);
	exit(1);
}

void *memory_new(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		end_without_memory(count, size);
	return memory;
}

void *memory_enlarge(void *array, size_t *capacity, size_t needed, size_t size)
{
	size_t before = *capacity;

	if (!array_make_room(&array, capacity, 0, needed, size))
		end_without_memory(needed, size);
	memset((char *)array + before * size, 0, (*capacity - before) * size);
	return array;
}

void memory_map_set(struct map *map, uint64_t key, uint64_t value)
{
	if (!map_set(map, key, value))
		end_without_memory(map->count + 1, 2 * sizeof(uint64_t));
}

void memory_map_add(struct map *map, uint64_t key, uint64_t value)
{
	if (!map_add(map, key, value))
		end_without_memory(map->count + 1, 2 * sizeof(uint64_t));
}

void memory_pair_map_set(struct pair_map *map, struct map_key key, uint64_t value)
{
	if (!pair_map_set(map, key, value))
		end_without_memory(map->map.count + 1, 3 * sizeof(uint64_t));
}

uint64_t *memory_pair_map_place(struct pair_map *map, struct map_key key, uint64_t initial)
{
	uint64_t *place = pair_map_place(map, key, initial);

	if (!place)
		end_without_memory(map->map.count + 1, 3 * sizeof(uint64_t));
	return place;
}

FILE *memory_open_file(char **text, size_t *size)
{
	FILE *file = open_memstream(text, size);

	if (!file)
		end_without_memory(1, BUFSIZ);
	return file;
}

void memory_close_file(FILE *file)
{
	bool failed = ferror(file);

	if (fclose(file) != 0 || failed)
		end_without_memory(1, BUFSIZ);
}

char *memory_copy_text(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(memory_new(size, 1), text, size);
}

char *memory_print(const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		end_without_memory(1, 0);
	return text;
}
