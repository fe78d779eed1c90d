/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of locations. */
#ifndef LOCATION_NAMES_H
#define LOCATION_NAMES_H

#include "convert-archive.h"

enum { CONVERT_LOCATION_NAME = 300 };

/* Names a location differently from all names in `taken`, and adds the name to them. */
void convert_name_location(const struct convert_teams *teams, uint32_t location,
    struct convert_strings *taken, char *name, size_t size);

#endif
