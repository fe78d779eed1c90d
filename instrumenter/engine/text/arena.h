/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of one rewrite: allocated piece by piece, freed all at once. If memory runs out, the
 * arena jumps to `out_of_memory`, so that no caller has to check. No other resource may be owned at
 * that point.
 */
#ifndef ARENA_H
#define ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct inst_arena {
	struct arena_block *blocks; /* newest first */
	jmp_buf out_of_memory;      /* set by inst_rewrite() */
};

/* Zeroed memory, aligned for anything; lives until arena_finish(). */
void *arena_allocate(struct inst_arena *arena, size_t size);

/*
 * Makes room for one more element in an array of the arena, which doubles if it is full. Returns
 * the array, which may have moved. `count` elements are in use.
 */
void *arena_grow(struct inst_arena *arena, void *array, size_t count, size_t *room, size_t size);

/* Counts one more element of such an array and returns a pointer to it. */
#define ARENA_ADD(arena, items, count, room)                                                       \
	((items) = arena_grow((arena), (items), (size_t)(count), &(room), sizeof *(items)),        \
	    &(items)[(count)++])

char *arena_copy(struct inst_arena *arena, const char *text, size_t length);
char *arena_format(struct inst_arena *arena, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));

void arena_finish(struct inst_arena *arena);

/* A growing text in an arena; data is NUL-terminated as soon as something was added. */
struct inst_buffer {
	struct inst_arena *arena;
	char *data;
	size_t length, room;
};

void buffer_add(struct inst_buffer *buffer, const char *text, size_t length);
void buffer_add_string(struct inst_buffer *buffer, const char *text);
void buffer_format(struct inst_buffer *buffer, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));

/* Adds `text` as the inside of a C string literal. */
void buffer_add_escaped(struct inst_buffer *buffer, const char *text);

#endif
