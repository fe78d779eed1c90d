/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions whose descriptors have names that no row of the list of constructs has. */
#include "pomp.h"

#include <stddef.h>

static OMPRegDescr step = {"step", "", 0, "phases.c", 20, 20, 29, 29, {0}, NULL};
static OMPRegDescr phase = {"phase", "first", 0, "phases.c", 10, 10, 30, 30, {0}, &step};
static OMPRegDescr known = {"region", "all", 0, "phases.c", 1, 1, 99, 99, {0}, &phase};
POMP_REGISTER(known);

int main(void)
{
	pomp_begin(&known);
	for (int i = 0; i < 3; i++) {
		pomp_begin(&phase);
		pomp_begin(&step);
		pomp_end(&step);
		pomp_end(&phase);
	}
	pomp_end(&known);
	return 0;
}
