/* SPDX-License-Identifier: BSD-3-Clause */
/* From options to what of a trace is exported. */
#ifndef EXPORT_CHOICE_H
#define EXPORT_CHOICE_H

#include "command.h"
#include "export.h"

/* The choice refers to the options. */
struct export_choice export_choice_of(const struct options *options);

#endif
