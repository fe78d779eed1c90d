/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of commands as columns. */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include "columns.h"
#include "table.h"

/* Copies a command's table into new columns, whose address goes to the context. */
void table_columns_take(void *context, const struct table *table);

#endif
