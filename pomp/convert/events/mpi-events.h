/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI's calls mean, as OTF2 events. */
#ifndef MPI_EVENTS_H
#define MPI_EVENTS_H

#include "location.h"

/* Writes the event of a record whose kind begins with MPI_. */
void convert_mpi_record(struct convert_location *location, const struct convert_record *record);

/* Returns the region of an MPI function. */
struct convert_region_text convert_describe_mpi(const char *function);

#endif
