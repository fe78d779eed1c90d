/* SPDX-License-Identifier: BSD-3-Clause */
/* The name that summary_format_region() writes, of any length. */
#include "region-name.h"

#include "common/summary-figures.h"
#include "memory.h"

char *report_region_name(const struct summary_region *region)
{
	int length = summary_format_region(NULL, 0, region);
	char *name = memory_new((size_t)length + 1, 1);

	summary_format_region(name, (size_t)length + 1, region);
	return name;
}
