/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of ompreport.h while it is made: values are added to a column at its end. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "ompreport.h"
#include "shared/hash-map.h"

struct column {
	struct ompreport_column seen; /* with values and names of this column */
	void *values;
	size_t count, room;
	char **names;
	size_t name_count, name_room;
	struct map places; /* of the names, by hash */
};

struct columns {
	struct ompreport_table table;
	struct column *items, *facts;
	size_t item_count, item_room, fact_count, fact_room;
	char **notes;
	size_t note_count, note_room;
};

/* Texts are copied. The next column or fact exists until another one is added. */
struct columns *columns_new(void);
struct column *columns_add(struct columns *columns, const char *name, const char *unit, int type);
struct column *columns_add_fact(
    struct columns *columns, const char *name, const char *unit, int type);
void columns_add_note(struct columns *columns, const char *text);

/* Adds a value to a column of that type: a NULL text is one that is not there. */
void column_put_text(struct column *column, const char *text);
void column_put_count(struct column *column, uint64_t count);
void column_put_difference(struct column *column, int64_t difference);
void column_put_ratio(struct column *column, double ratio);
void column_put_number(struct column *column, uint32_t number); /* or place of a name */

/* Returns the place of a name in an OMPREPORT_NAME column, which gets it if it is new. */
uint32_t column_name_place(struct column *column, const char *name);

/* Completes the public part. All columns have the same number of values. */
struct ompreport_table *columns_finish(struct columns *columns, int status);
void columns_free(struct ompreport_table *table); /* which may be NULL */

#endif
