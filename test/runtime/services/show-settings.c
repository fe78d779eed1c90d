/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what the API says about the settings, as NAME=value lines for environment.py, which runs
 * this program under many environments. With arguments it runs a target region instead.
 */
#include <omp.h>

#include "check.h"

static void print_places(void)
{
	printf("places=");
	for (int i = 0; i < omp_get_num_places(); i++) {
		int count = omp_get_place_num_procs(i);
		int *ids = calloc((size_t)count, sizeof(int));
		omp_get_place_proc_ids(i, ids);
		printf(i > 0 ? ",{" : "{");
		for (int j = 0; j < count; j++)
			printf(j > 0 ? ",%d" : "%d", ids[j]);
		printf("}");
		free(ids);
	}
	printf("\n");
}

/* "target N": runs a target region on device N, or on the default device without N. */
static void run_target(const char *device)
{
	int where = 0;

	if (device) {
#pragma omp target device(atoi(device)) map(from : where)
		where = 1 + omp_is_initial_device();
	} else {
#pragma omp target map(from : where)
		where = 1 + omp_is_initial_device();
	}
	printf("target=%s\n", where == 2 ? "host" : "elsewhere");
}

int main(int count, char **arguments)
{
	omp_sched_t kind;
	int chunk;

	if (count > 1) {
		run_target(arguments[2]);
		return check_result();
	}

	omp_get_schedule(&kind, &chunk);
	printf("max_threads=%d\n", omp_get_max_threads());
	printf("num_procs=%d\n", omp_get_num_procs());
	printf("dynamic=%d\n", omp_get_dynamic());
	printf("schedule=%x,%d\n", kind, chunk);
	printf("max_active_levels=%d\n", omp_get_max_active_levels());
	printf("thread_limit=%d\n", omp_get_thread_limit());
	printf("proc_bind=%d\n", omp_get_proc_bind());
	print_places();
	printf("place_num=%d\n", omp_get_place_num());
	printf("partition=%d\n", omp_get_partition_num_places());
	printf("cancellation=%d\n", omp_get_cancellation());
	printf("default_device=%d\n", omp_get_default_device());
	printf("max_task_priority=%d\n", omp_get_max_task_priority());
	printf("max_teams=%d\n", omp_get_max_teams());
	printf("teams_thread_limit=%d\n", omp_get_teams_thread_limit());
	printf("default_allocator=%d\n",
	    omp_get_default_allocator() <= 8 ? (int)omp_get_default_allocator() : -1);
	char format[100];
	omp_get_affinity_format(format, sizeof(format));
	printf("affinity_format=%s\n", format);
	return check_result();
}
