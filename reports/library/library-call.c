/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements library-call.h, and what of ompreport.h the program ompreport needs. */
#include "library-call.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "ompreport.h"
#include "run-command.h"
#include "streams.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct call_words call_begin(const char *const *from, FILE *output, FILE *messages)
{
	struct call_words words = {0};

	pthread_mutex_lock(&lock);
	streams_set(output, messages);
	while (from[words.count])
		words.count++;
	words.items = memory_new((size_t)words.count + 1, sizeof(words.items[0]));
	memcpy(words.items, from, (size_t)words.count * sizeof(words.items[0]));
	return words;
}

void call_end(struct call_words *words)
{
	free(words->items);
	streams_set(NULL, NULL);
	pthread_mutex_unlock(&lock);
}

int ompreport_run(const char *const *from, FILE *output, FILE *messages)
{
	struct call_words words = call_begin(from, output, messages);
	int status = run_command(words.count, words.items, NULL);

	call_end(&words);
	return status;
}

const char *ompreport_version(void)
{
	return OMPINST_VERSION;
}
