/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace contains as columns (ompreport_read()). */
#ifndef TRACE_COLUMNS_H
#define TRACE_COLUMNS_H

#include "columns.h"
#include "export.h"

/* The kinds of rows, as in option --columns and ompreport.h. */
#define TRACE_KINDS "visits|samples|messages|counters|events"

struct trace_kind;

/* Returns NULL for a word that is no kind. */
const struct trace_kind *trace_kind_find(const char *word);

/* Whether a choice has an effect: all but events. */
bool trace_kind_chooses(const struct trace_kind *kind);

/*
 * Reads what of the archive is chosen; of events that is all. columns_finish() makes a table of it.
 */
struct columns *trace_columns_read(
    const struct trace_kind *kind, struct archive *archive, const struct export_choice *choice);

#endif
