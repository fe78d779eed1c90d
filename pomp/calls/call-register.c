/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of pomp.h with which an object registers its regions when it is loaded, and unregisters
 * them when it is unloaded.
 */
#include "measurement.h"
#include "plain-name.h"
#include "process-state.h"
#include "region.h"
#include "totals.h"

void pomp_register_regions_in(OMPRegDescr *first, const char *folder)
{
	pomp_measurement_start();
	pomp_lock_process();
	for (OMPRegDescr *descriptor = first; descriptor != NULL; descriptor = descriptor->next)
		pomp_region_register(descriptor, folder);
	pomp_unlock_process();
}
PLAIN_NAME(pomp_register_regions_in)

void pomp_register_regions(OMPRegDescr *first)
{
	pomp_register_regions_in(first, NULL);
}
PLAIN_NAME(pomp_register_regions)

static void unregister(OMPRegDescr *descriptor)
{
	const struct pomp_region *region = pomp_region_find(descriptor->data[0]);

	if (region == NULL || region->descriptor != descriptor)
		return;
	pomp_region_publish(region);
	pomp_region_detach(descriptor);
}

void pomp_unregister_regions(OMPRegDescr *first)
{
	pomp_lock_process();
	for (OMPRegDescr *descriptor = first; descriptor != NULL; descriptor = descriptor->next)
		unregister(descriptor);
	pomp_unlock_process();
}
PLAIN_NAME(pomp_unregister_regions)
