/* SPDX-License-Identifier: BSD-3-Clause */
/* What is gathered (gathering.h) of the slices of all processes: what the sums of exports have in
 * common. */
#ifndef GATHERED_H
#define GATHERED_H

#include "export.h"
#include "gathering.h"

/* The choice in a form that travels. The filters forget that they were asked. */
struct gathering_choice gathered_choice(
    const struct archive *archive, const struct export_choice *choice);

/* What is gathered by region_times_read() and export_samples(). */
extern const struct gathering gathered_region_times, gathered_samples;

#endif
