/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule(runtime) obeys run-sched-var, as omp_set_schedule() left it, with the shape that the
 * kind promises; schedule(auto) runs each iteration once. A chunk size below 1 means the kind's
 * default. OpenMP 5.1, 2.11.4, 3.2.11 and 3.2.12.
 */
#include "loop-shapes.h"

#define LENGTH 333

static int owner[LENGTH];
static int owner_nonmonotonic[LENGTH];
static unsigned long long wide_offset = 1ULL << 63;

static void run(void)
{
	disown(owner, LENGTH);
	disown(owner_nonmonotonic, LENGTH);
#pragma omp parallel
	{
#pragma omp for schedule(runtime)
		for (int i = 0; i < LENGTH; i++)
			own(owner, i);
#pragma omp for schedule(nonmonotonic : runtime)
		for (int i = 0; i < LENGTH; i++)
			own(owner_nonmonotonic, i);
	}
}

static void check_kind(omp_sched_t kind, int chunk)
{
	int threads = omp_get_max_threads();

	if (kind == omp_sched_static && chunk > 0) {
		check_static_chunks(owner, LENGTH, chunk, threads);
		check_static_chunks(owner_nonmonotonic, LENGTH, chunk, threads);
	} else if (kind == omp_sched_static) {
		check_static_blocks(owner, LENGTH, threads);
		check_static_blocks(owner_nonmonotonic, LENGTH, threads);
	} else if (kind == omp_sched_dynamic) {
		check_dynamic_chunks(owner, LENGTH, chunk > 0 ? chunk : 1, threads);
		check_dynamic_chunks(owner_nonmonotonic, LENGTH, chunk > 0 ? chunk : 1, threads);
	} else if (kind == omp_sched_guided) {
		check_guided_chunks(owner, LENGTH, chunk > 0 ? chunk : 1, threads);
		check_guided_chunks(owner_nonmonotonic, LENGTH, chunk > 0 ? chunk : 1, threads);
	} else {
		check_all_owned(owner, LENGTH, threads);
		check_all_owned(owner_nonmonotonic, LENGTH, threads);
	}
}

static void wide(void)
{
	disown(owner, LENGTH);
#pragma omp parallel for schedule(runtime)
	for (unsigned long long i = wide_offset; i < wide_offset + LENGTH; i++)
		own(owner, (long long)(i - wide_offset));
	disown(owner_nonmonotonic, LENGTH);
#pragma omp parallel for schedule(nonmonotonic : runtime)
	for (unsigned long long i = wide_offset; i < wide_offset + LENGTH; i++)
		own(owner_nonmonotonic, (long long)(i - wide_offset));
}

static void check_get_returns(omp_sched_t kind, int chunk)
{
	omp_sched_t found;
	int found_chunk;

	omp_get_schedule(&found, &found_chunk);
	CHECK_EQUAL(found & ~omp_sched_monotonic, kind & ~omp_sched_monotonic);
	if (chunk > 0 && (kind & ~omp_sched_monotonic) != omp_sched_auto)
		CHECK_EQUAL(found_chunk, chunk);
}

static void automatic(void)
{
	disown(owner, LENGTH);
#pragma omp parallel for schedule(auto)
	for (int i = 0; i < LENGTH; i++)
		own(owner, i);
	check_all_owned(owner, LENGTH, omp_get_max_threads());
}

int main(void)
{
	static const omp_sched_t kinds[] = {
	    omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
	static const int chunk_sizes[] = {0, 1, 2, 7, 50, 400};

	omp_set_dynamic(0);
	for (unsigned kind = 0; kind < 4; kind++) {
		for (unsigned i = 0; i < sizeof(chunk_sizes) / sizeof(chunk_sizes[0]); i++) {
			omp_set_schedule(kinds[kind], chunk_sizes[i]);
			check_get_returns(kinds[kind], chunk_sizes[i]);
			run();
			check_kind(kinds[kind], chunk_sizes[i]);
			wide();
			check_kind(kinds[kind], chunk_sizes[i]);
			omp_set_schedule(kinds[kind] | omp_sched_monotonic, chunk_sizes[i]);
			check_get_returns(kinds[kind], chunk_sizes[i]);
			run();
			check_kind(kinds[kind], chunk_sizes[i]);
		}
	}
	automatic();
	return check_result();
}
