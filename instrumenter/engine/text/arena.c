/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of one rewrite and the texts built in it. This is a bump allocator: a rewrite makes
 * many small strings that all end together, and error handling is simplest with one thing to free.
 * Large requests get a block of their own.
 */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used, room;
	alignas(max_align_t) char bytes[];
};

void *arena_allocate(struct inst_arena *arena, size_t size)
{
	const size_t alignment = alignof(max_align_t);
	struct arena_block *block = arena->blocks;

	if (size > SIZE_MAX / 2)
		longjmp(arena->out_of_memory, 1);
	size = (size + alignment - 1) / alignment * alignment;
	if (block == NULL || block->room - block->used < size) {
		size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;

		block = calloc(1, sizeof *block + room);
		if (block == NULL)
			longjmp(arena->out_of_memory, 1);
		block->room = room;
		block->next = arena->blocks;
		arena->blocks = block;
	}
	block->used += size;
	return block->bytes + block->used - size;
}

void *arena_grow(struct inst_arena *arena, void *array, size_t count, size_t *room, size_t size)
{
	size_t wanted = *room == 0 ? 16 : *room;
	void *moved;

	if (count < *room)
		return array;
	while (wanted <= count)
		wanted *= 2;
	if (wanted > SIZE_MAX / 2 / size)
		longjmp(arena->out_of_memory, 1);
	moved = arena_allocate(arena, wanted * size);
	if (count > 0)
		memcpy(moved, array, count * size);
	*room = wanted;
	return moved;
}

char *arena_copy(struct inst_arena *arena, const char *text, size_t length)
{
	char *copy = arena_allocate(arena, length + 1);

	if (length > 0)
		memcpy(copy, text, length);
	return copy;
}

void arena_finish(struct inst_arena *arena)
{
	while (arena->blocks != NULL) {
		struct arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
}

void buffer_add(struct inst_buffer *buffer, const char *text, size_t length)
{
	buffer->data = arena_grow(buffer->arena, buffer->data, buffer->length, &buffer->room, 1);
	if (buffer->room - buffer->length <= length) {
		size_t room = buffer->room;
		char *moved;

		while (room - buffer->length <= length)
			room *= 2;
		moved = arena_allocate(buffer->arena, room);
		memcpy(moved, buffer->data, buffer->length);
		buffer->data = moved;
		buffer->room = room;
	}
	if (length > 0)
		memcpy(buffer->data + buffer->length, text, length);
	buffer->length += length;
	buffer->data[buffer->length] = '\0';
}

void buffer_add_string(struct inst_buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

/* Formats into new arena memory; returns the empty string if formatting fails. */
static char *format_text(struct inst_arena *arena, const char *format, va_list arguments)
{
	va_list again;
	int length;
	char *text;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	if (length < 0)
		length = 0;
	text = arena_allocate(arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *arena_format(struct inst_arena *arena, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = format_text(arena, format, arguments);
	va_end(arguments);
	return text;
}

void buffer_format(struct inst_buffer *buffer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	buffer_add_string(buffer, format_text(buffer->arena, format, arguments));
	va_end(arguments);
}

void buffer_add_escaped(struct inst_buffer *buffer, const char *text)
{
	for (const char *at = text; *at != '\0'; at++) {
		unsigned char byte = (unsigned char)*at;

		if (byte == '"' || byte == '\\')
			buffer_format(buffer, "\\%c", byte);
		else if (byte < 0x20 || byte == 0x7f || byte == '?')
			buffer_format(buffer, "\\%03o", byte); /* `?`: no trigraph can form */
		else
			buffer_add(buffer, at, 1);
	}
}
