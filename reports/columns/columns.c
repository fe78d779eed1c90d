/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements columns.h. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "shared/precondition.h"
#include "shared/text-hash.h"

static const size_t sizes[] = {
    [OMPREPORT_TEXT] = sizeof(char *),
    [OMPREPORT_COUNT] = sizeof(uint64_t),
    [OMPREPORT_DIFFERENCE] = sizeof(int64_t),
    [OMPREPORT_RATIO] = sizeof(double),
    [OMPREPORT_NAME] = sizeof(uint32_t),
    [OMPREPORT_NUMBER] = sizeof(uint32_t),
};

struct columns *columns_new(void)
{
	return memory_new(1, sizeof(struct columns));
}

static struct column *fill_column(
    struct column *column, const char *name, const char *unit, int type)
{
	column->seen.name = memory_copy_text(name);
	column->seen.unit = unit;
	column->seen.type = type;
	return column;
}

struct column *columns_add(struct columns *columns, const char *name, const char *unit, int type)
{
	return fill_column(
	    MEMORY_ADD(columns->items, columns->item_room, columns->item_count), name, unit, type);
}

struct column *columns_add_fact(
    struct columns *columns, const char *name, const char *unit, int type)
{
	return fill_column(
	    MEMORY_ADD(columns->facts, columns->fact_room, columns->fact_count), name, unit, type);
}

void columns_add_note(struct columns *columns, const char *text)
{
	*MEMORY_ADD(columns->notes, columns->note_room, columns->note_count) =
	    memory_copy_text(text);
}

/* Returns the place of the column's next value, which is of that type. */
static void *next_value(struct column *column, int type)
{
	CHECK(column->seen.type == type, "the value has the type of its column");
	column->values =
	    memory_grow(column->values, &column->room, column->count + 1, sizes[column->seen.type]);
	return (char *)column->values + column->count++ * sizes[column->seen.type];
}

void column_put_text(struct column *column, const char *text)
{
	*(char **)next_value(column, OMPREPORT_TEXT) = text ? memory_copy_text(text) : NULL;
}

void column_put_count(struct column *column, uint64_t count)
{
	*(uint64_t *)next_value(column, OMPREPORT_COUNT) = count;
}

void column_put_difference(struct column *column, int64_t difference)
{
	*(int64_t *)next_value(column, OMPREPORT_DIFFERENCE) = difference;
}

void column_put_ratio(struct column *column, double ratio)
{
	*(double *)next_value(column, OMPREPORT_RATIO) = ratio;
}

void column_put_number(struct column *column, uint32_t number)
{
	int type = column->seen.type == OMPREPORT_NAME ? OMPREPORT_NAME : OMPREPORT_NUMBER;

	*(uint32_t *)next_value(column, type) = number;
}

uint32_t column_name_place(struct column *column, const char *name)
{
	uint64_t hash = text_hash(TEXT_HASH_START, name);

	for (size_t at = map_first(&column->places, hash); at != MAP_END;
	     at = map_next(&column->places, hash, at)) {
		uint32_t place = (uint32_t)map_value(&column->places, at);

		if (strcmp(column->names[place], name) == 0)
			return place;
	}
	memory_map_add(&column->places, hash, column->name_count);
	*MEMORY_ADD(column->names, column->name_room, column->name_count) = memory_copy_text(name);
	return (uint32_t)column->name_count - 1;
}

/* Returns the public parts of the columns. */
static struct ompreport_column *seen_of(struct column *columns, size_t count)
{
	struct ompreport_column *seen = memory_new(count, sizeof(seen[0]));

	for (size_t i = 0; i < count; i++) {
		CHECK(columns[i].count == columns[0].count, "each row has a value in each column");
		columns[i].seen.values = columns[i].values;
		columns[i].seen.names = (const char *const *)columns[i].names;
		columns[i].seen.name_count = columns[i].name_count;
		seen[i] = columns[i].seen;
	}
	return seen;
}

struct ompreport_table *columns_finish(struct columns *columns, int status)
{
	columns->table = (struct ompreport_table){
	    .status = status,
	    .rows = columns->item_count > 0 ? columns->items[0].count : 0,
	    .columns = seen_of(columns->items, columns->item_count),
	    .column_count = columns->item_count,
	    .facts = seen_of(columns->facts, columns->fact_count),
	    .fact_count = columns->fact_count,
	    .notes = (const char *const *)columns->notes,
	    .note_count = columns->note_count,
	};
	return &columns->table;
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

static void free_columns(struct column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free((char *)columns[i].seen.name);
		free_texts(columns[i].names, columns[i].name_count);
		map_free(&columns[i].places);
		if (columns[i].seen.type == OMPREPORT_TEXT)
			free_texts(columns[i].values, columns[i].count);
		else
			free(columns[i].values);
	}
	free(columns);
}

void columns_free(struct ompreport_table *table)
{
	struct columns *columns = (struct columns *)table;

	if (!table)
		return;
	free((void *)table->columns);
	free((void *)table->facts);
	free_columns(columns->items, columns->item_count);
	free_columns(columns->facts, columns->fact_count);
	free_texts(columns->notes, columns->note_count);
	free(columns);
}
