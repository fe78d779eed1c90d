/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open-addressing table that only grows finds a text by its content. Like the table of locks,
 * and unlike the shared hash map, it is read without a lock. A table that was replaced is kept,
 * because another thread may still be reading it. Only a text that was never seen before takes
 * memory and the process lock.
 *
 * Who sees what:
 *   table   release when a bigger one is ready, pairs with acquire in find(): complete entries are
 *           seen
 *   entry   release when a text is ready and defined, pairs with acquire in find(): a complete text
 *           is seen
 */
#include "text-definitions.h"

#include "pomp-atomics.h"
#include "experiment.h"
#include "process-state.h"
#include "shared/array.h"
#include "shared/precondition.h"
#include "shared/text-hash.h"

#include <stdlib.h>
#include <string.h>

struct pomp_texts pomp_texts;

struct pomp_text_table {
	size_t size; /* power of two */
	size_t used;
	_Atomic(struct pomp_text *) entry[];
};

static size_t hash_of(enum trace_log_text type, const char *text)
{
	uint64_t hash = text_hash(TEXT_HASH_START ^ type, text);

	return (size_t)(hash ^ hash >> 32);
}

/* Returns the text, or NULL when it is new; `slot` is then its place. */
static struct pomp_text *find(
    const struct pomp_text_table *table, enum trace_log_text type, const char *text, size_t *slot)
{
	if (table == NULL)
		return NULL;
	for (*slot = hash_of(type, text) & (table->size - 1);;
	     *slot = (*slot + 1) & (table->size - 1)) {
		struct pomp_text *found = load_acquire(&table->entry[*slot]);
		if (found == NULL || (found->type == type && strcmp(found->text, text) == 0))
			return found;
	}
}

/* Returns the table with room for one more entry; NULL when memory ran out. */
static struct pomp_text_table *table_with_room(struct pomp_texts *texts)
{
	struct pomp_text_table *old = load_relaxed(&texts->table);
	size_t slot;

	if (old != NULL && old->used < old->size / 2)
		return old;
	size_t size = old == NULL ? 64 : old->size * 2;
	struct pomp_text_table *table = calloc(1, sizeof(*table) + size * sizeof(table->entry[0]));
	if (table == NULL)
		return NULL;
	table->size = size;
	for (size_t i = 0; i < texts->count; i++) {
		struct pomp_text *text = texts->entry[i];
		find(table, (enum trace_log_text)text->type, text->text, &slot);
		store_relaxed(&table->entry[slot], text);
		table->used++;
	}
	store_release(&texts->table, table);
	return table;
}

static struct pomp_text *text_new(
    struct pomp_texts *texts, enum trace_log_text type, const char *content)
{
	uint32_t *count = type == TRACE_LOG_TEXT_VALUE ? &texts->values : &texts->parameters;

	if (*count == TRACE_LOG_ARGUMENT_MAX)
		return NULL;
	if (!ARRAY_ROOM(texts->entry, texts->count, texts->capacity, 1))
		return NULL;
	size_t size = strlen(content) + 1;
	struct pomp_text *text = malloc(sizeof(*text) + size);
	if (text == NULL)
		return NULL;
	text->type = type;
	text->number = ++*count;
	memcpy(text->text, content, size);
	texts->entry[texts->count++] = text;
	return text;
}

static void define(const struct pomp_text *text)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	if (load_relaxed(&pomp_experiment.path) == NULL)
		return;
	const struct trace_log_text_head head = {.type = text->type, .number = text->number};
	const char *const texts[] = {text->text};
	pomp_experiment_append(TRACE_LOG_TEXT, &head, sizeof(head), texts, 1);
}

void pomp_texts_define(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	for (size_t i = 0; i < pomp_texts.count; i++)
		define(pomp_texts.entry[i]);
}

uint32_t pomp_text_number(enum trace_log_text type, const char *content)
{
	struct pomp_texts *texts = &pomp_texts;
	size_t slot;
	struct pomp_text *text = find(load_acquire(&texts->table), type, content, &slot);

	if (likely(text != NULL))
		return text->number;
	pomp_lock_process();
	struct pomp_text_table *table = table_with_room(texts);
	text = find(table, type, content, &slot);
	if (table != NULL && text == NULL) {
		text = text_new(texts, type, content);
		if (text != NULL) {
			define(text);
			store_release(&table->entry[slot], text);
			table->used++;
		}
	}
	if (text == NULL)
		pomp_out_of_memory("a parameter's text");
	pomp_unlock_process();
	return text != NULL ? text->number : 0;
}
