/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profiling-loaded LIBRARY: a tool that ACC_PROFLIB names among others that cannot be used is
 * loaded and hears of what the program does, which knows nothing of it.
 */
#include <dlfcn.h>

#include "check.h"

int main(int count, char **arguments)
{
	char list[PATH_MAX + 64];
	int sum = 0;

	if (!CHECK(count == 2))
		return 1;
	snprintf(list, sizeof(list), "no-such-tool.so;;%s;libm.so.6", arguments[1]);
	check_needs_environment(arguments, "ACC_PROFLIB", list);
	void *library = dlopen(arguments[1], RTLD_LAZY | RTLD_NOLOAD);
	if (!CHECK(library != NULL))
		return 1;
	const int *starts = dlsym(library, "tool_starts"), *ends = dlsym(library, "tool_ends");
	for (int i = 0; i < 3; i++) {
		CHECK_EQUAL(*starts, i);
#pragma acc parallel loop reduction(+ : sum)
		for (int j = 0; j < 10; j++)
			sum += j;
		CHECK_EQUAL(*ends, i + 1);
	}
	CHECK_EQUAL(sum, 3 * 45);
	return check_result();
}
