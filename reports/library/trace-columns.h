/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace contains as columns (ompreport_read()). */
#ifndef TRACE_COLUMNS_H
#define TRACE_COLUMNS_H

#include "columns.h"

/*
 * Reads what the first word names, "visits" for example, of the archive in the other words, which
 * it puts into another order. Sets *status as a command's exit status; NULL after a message.
 */
struct columns *trace_columns_read(int count, char **words, int *status);

#endif
