/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the processes of one report send each other: bytes as they lie in memory, because all of
 * them execute the same program. The same calls write and read them, so that one function can do
 * both for a structure. Reading past the end ends the process with a message.
 */
#ifndef READER_MESSAGE_H
#define READER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

struct message {
	unsigned char *bytes; /* the caller frees them by message_free() */
	size_t used, room;
	size_t at; /* the reader's position */
	bool reads;
};

void message_free(struct message *message);
/* An empty message, in the same memory. */
void message_clear(struct message *message);

/* Appends `size` bytes, or reads them. */
void message_bytes(struct message *message, void *bytes, size_t size);
#define MESSAGE_FIELD(message, field) message_bytes((message), &(field), sizeof(field))

/* The same for a text, which may be NULL; a text that is read is new memory. */
void message_text(struct message *message, char **text);

/*
 * The same for *count elements of `size` bytes. Returns the array, or what was read in new memory;
 * NULL if nothing was read.
 */
void *message_array(struct message *message, void *array, size_t *count, size_t size);

/*
 * The same for a message within a message: what is read is a view of the outer one, to read and not
 * to free.
 */
void message_part(struct message *message, struct message *part);

#endif
