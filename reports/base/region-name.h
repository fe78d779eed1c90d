/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of regions in allocated memory. */
#ifndef REGION_NAME_H
#define REGION_NAME_H

#include "common/summary.h"

/* "file.c:12 critical(name)" of a region. The caller frees it. */
char *report_region_name(const struct summary_region *region);

#endif
