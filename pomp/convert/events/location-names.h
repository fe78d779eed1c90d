/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of locations. */
#ifndef LOCATION_NAMES_H
#define LOCATION_NAMES_H

#include "archive.h"

enum { CONVERT_LOCATION_NAME = 300 };

/* Names a location, unlike all that are taken, among which the name is then. */
void convert_name_location(const struct convert_teams *teams, uint32_t location,
    struct convert_strings *taken, char *name, size_t size);

#endif
