/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of one rewrite: taken piece by piece, given back at once. Running out of memory leaves
 * through `out_of_memory`, so that no caller has to check; nothing but the arena may then be owned.
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
 * Room for one more element in an array of the arena that doubles: returns the (perhaps moved)
 * array. `count` elements are in use.
 */
void *arena_grow(struct inst_arena *arena, void *array, size_t count, size_t *room, size_t size);

char *arena_copy(struct inst_arena *arena, const char *text, size_t length);
char *arena_format(struct inst_arena *arena, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));

void arena_finish(struct inst_arena *arena);

/* A text that grows, in an arena; data is NUL-terminated once anything was added. */
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
