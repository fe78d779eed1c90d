/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements reader-message.h. */
#include "reader-message.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "streams.h"

void message_free(struct message *message)
{
	free(message->bytes);
	*message = (struct message){0};
}

void message_clear(struct message *message)
{
	message->used = message->at = 0;
	message->reads = false;
}

/* Returns the next `size` bytes of what is read. */
static unsigned char *take(struct message *message, size_t size)
{
	unsigned char *bytes = message->bytes + message->at;

	if (size > message->used - message->at) {
		fputs(
		    "ompreport: another process sent less than expected: all processes have to be "
		    "of the same ompreport; nothing more was written\n",
		    stream_messages());
		exit(1);
	}
	message->at += size;
	return bytes;
}

void message_bytes(struct message *message, void *bytes, size_t size)
{
	if (size == 0)
		return;
	if (message->reads) {
		memcpy(bytes, take(message, size), size);
		return;
	}
	MEMORY_GROW(message->bytes, message->room, message->used + size);
	memcpy(message->bytes + message->used, bytes, size);
	message->used += size;
}

void message_part(struct message *message, struct message *part)
{
	size_t size = part->used;

	MESSAGE_FIELD(message, size);
	if (message->reads)
		*part = (struct message){.bytes = take(message, size), .used = size, .reads = true};
	else
		message_bytes(message, part->bytes, size);
}

void message_text(struct message *message, char **text)
{
	/* What is read overwrites it: a pointer of the other process, perhaps. */
	size_t length = !message->reads && *text ? strlen(*text) + 1 : 0;

	*text = message_array(message, *text, &length, 1);
}

void *message_array(struct message *message, void *array, size_t *count, size_t size)
{
	MESSAGE_FIELD(message, *count);
	if (message->reads)
		array = *count > 0 ? memory_new(*count, size) : NULL;
	message_bytes(message, array, *count * size);
	return array;
}
