/* SPDX-License-Identifier: BSD-3-Clause */
/* The global definitions of an archive. */
#ifndef ARCHIVE_DEFINITIONS_H
#define ARCHIVE_DEFINITIONS_H

#include "rank-clock.h"
#include "set.h"

#include <otf2/otf2.h>

/* Writes the global definitions of the set. Strings are added to the set. */
OTF2_ErrorCode convert_write_set(
    OTF2_Archive *archive, struct convert_set *set, const struct convert_reference *reference);

#endif
