/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h: the one place where the tool ends for want of memory. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void end_without_memory(size_t count, size_t size)
{
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

void *memory_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
	size_t grown = *capacity + *capacity / 2;
	void *memory;

	if (needed <= *capacity)
		return array;
	if (grown < needed)
		grown = needed;
	if (grown < 16)
		grown = 16;
	memory = reallocarray(array, grown, size);
	if (!memory)
		end_without_memory(grown, size);
	memset((char *)memory + *capacity * size, 0, (grown - *capacity) * size);
	*capacity = grown;
	return memory;
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
