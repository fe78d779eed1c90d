/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registration of regions while others use them: each descriptor gets one number, threads see
 * regions complete, and what threads count is folded while they count. Bounds: two threads, two
 * descriptors.
 */
#include "check.h"
#include "library.h"
#include "totals.h"

#include <string.h>

static void check_regions(size_t count)
{
	EXPECT(pomp_regions.count == count);
	for (size_t i = 0; i < count; i++) {
		const struct pomp_region *region = pomp_regions.entry[i];
		EXPECT(region->id == i + 1);
		EXPECT(region->descriptor->data[0] == region->id);
		EXPECT(strcmp(region->name, region->descriptor->name) == 0);
		EXPECT(region->begin_first == region->descriptor->begin_line1);
	}
}

static void register_chain(void *first)
{
	pomp_register_regions(first);
}

static void twice(void)
{
	library_measures();
	library_loop[0].next = &library_loop[1];
	library_loop[1].next = &library_loop[2];
	check_start(register_chain, &library_loop[1]);
	register_chain(&library_loop[0]);
	check_join();
	check_regions(3);
}
HARNESS(pomp_regions_twice, "two threads register chains with descriptors in common") = {
    .run = twice};

static void enter_and_leave(void *descriptor)
{
	if (library_thread() == NULL)
		return;
	pomp_for_enter(descriptor);
	pomp_for_exit(descriptor);
}

static void used(void)
{
	library_measures();
	library_thread();
	check_start(enter_and_leave, &library_loop[0]);
	register_chain(&library_loop[0]);
	enter_and_leave(&library_loop[0]);
	check_join();
	check_regions(1);
	EXPECT(library_visits(1) == 2);
}
HARNESS(pomp_regions_used, "a region is entered while it is registered") = {.run = used};

/* So many regions that a thread has to take memory for its sums of the second. */
static void folded(void)
{
	library_measures();
	for (uint64_t i = 0; i < POMP_CHUNK_SIZE; i++) {
		library_loop[0].data[0] = 0;
		library_loop[0].begin_line1 = (int)i;
		pomp_register_regions(&library_loop[0]);
	}
	pomp_register_regions(&library_loop[1]);
	enter_and_leave(&library_loop[0]);
	check_start(enter_and_leave, &library_loop[1]);
	pomp_lock_process();
	pomp_region_publish(pomp_region_find(POMP_CHUNK_SIZE + 1));
	pomp_unlock_process();
	EXPECT(library_loop[1].data[1] <= 1);
	check_join();
	EXPECT(library_visits(POMP_CHUNK_SIZE + 1) == 1);
}
HARNESS(pomp_regions_folded, "sums are added while their thread counts") = {.run = folded};
