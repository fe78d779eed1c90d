/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructs that are known by the address of their code, and the files that contain the code: each
 * has one entry, whichever thread comes first, and every thread sees it complete. Bounds: two
 * threads, one address.
 */
#include "code-table.h"

#include "check.h"
#include "code-module.h"
#include "library.h"

static OMPRegDescr *found[2];

static void look_up(void *number)
{
	const struct code_address where = {
	    .address = (const void *)(uintptr_t)&look_up, .at = CODE_RETURN};
	OMPRegDescr *descriptor = pomp_code_find(CONSTRUCT_TASKWAIT, where, NULL);

	EXPECT(descriptor != NULL && descriptor->data[0] == 1);
	EXPECT(descriptor->sub_name[0] == '\0');
	found[*(const int *)number] = descriptor;
}

static int zero = 0, one = 1;

static void twice(void)
{
	library_measures();
	check_start(look_up, &one);
	look_up(&zero);
	check_join();
	EXPECT(found[0] == found[1] && pomp_regions.count == 1);
	EXPECT(pomp_regions.by_code == 1);
}
HARNESS(pomp_code_twice, "two threads enter a construct for the first time") = {.run = twice};

static void of_one_file(void)
{
	const struct pomp_module *module = pomp_module_find((const void *)(uintptr_t)&of_one_file);

	library_measures();
	EXPECT(module != NULL && module->stays);
	check_start(look_up, &one);
	look_up(&zero);
	check_join();
	EXPECT(found[0] == found[1] && pomp_regions.count == 1);
}
HARNESS(pomp_code_of_one_file, "the same in a file that is known") = {.run = of_one_file};
