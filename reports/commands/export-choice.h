/* SPDX-License-Identifier: BSD-3-Clause */
/* From options to what of a trace is exported. */
#ifndef EXPORT_CHOICE_H
#define EXPORT_CHOICE_H

#include "command.h"
#include "export.h"
#include "trace-columns.h"

/* The choice refers to the options. */
struct export_choice export_choice_of(const struct options *options);

/* Reads what the options choose of their archive. NULL after a message. */
/*
 * Whether the options for choosing apply to the kind; all events are read, so they do not apply to
 * these. If not, says so.
 */
bool export_choice_suits(const struct trace_kind *kind, const struct options *options);

struct columns *export_read_columns(const struct trace_kind *kind, const struct options *options);

#endif
