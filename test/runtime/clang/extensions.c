/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of clang's omp.h that OpenMP does not have: block time, stack size, library mode,
 * defaults, masks of processors, questions; in C, by Fortran's names, and by ifort's.
 */
#include <omp.h>
#include <sched.h>
#include <pthread.h>

#include "check.h"

void kmp_set_blocktime_(int *milliseconds);
int kmp_get_blocktime_(void);
void kmpc_set_blocktime(int milliseconds);
void kmp_set_stacksize_s_(size_t *bytes);
size_t kmp_get_stacksize_s_(void);
void kmpc_set_stacksize_s(size_t bytes);
void kmp_set_library_(int *library);
int kmp_get_library_(void);
void kmp_set_defaults_(const char *text, size_t length);
int kmp_get_num_known_threads(void);
int kmp_get_cancellation_status(int kind);
int kmp_set_affinity_mask_proc_(int *processor, kmp_affinity_mask_t *mask);
int kmpc_get_affinity_mask_proc(int processor, kmp_affinity_mask_t *mask);

/* A program that asks, changes it and sets it back has what it had. */
static void block_time(void)
{
	int before = kmp_get_blocktime(), some = 77;

	CHECK_EQUAL(before, 200);
	kmp_set_blocktime(0);
	CHECK_EQUAL(kmp_get_blocktime(), 0);
#pragma omp parallel
	CHECK(omp_get_num_threads() >= 1);
	kmp_set_blocktime(-5);
	CHECK_EQUAL(kmp_get_blocktime(), 0);
	kmp_set_blocktime_(&some);
	CHECK_EQUAL(kmp_get_blocktime_(), 77);
#pragma omp parallel
	CHECK(omp_get_num_threads() >= 1);
	kmpc_set_blocktime(before);
	CHECK_EQUAL(kmp_get_blocktime(), before);
}

static size_t own_stack(void)
{
	pthread_attr_t attributes;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &size);
		pthread_attr_destroy(&attributes);
	}
	return size;
}

/* For threads that are made afterwards: none was before this. */
static void stack_size(int threads)
{
	size_t bytes = 3 << 20, largest = 0;

	CHECK(kmp_get_stacksize_s() >= 16384);
	kmp_set_stacksize(10);
	CHECK_EQUAL(kmp_get_stacksize(), 16384);
	kmp_set_stacksize_s_(&bytes);
	CHECK_EQUAL(kmp_get_stacksize_s_(), bytes);
	CHECK_EQUAL(kmp_get_stacksize(), bytes);
#pragma omp parallel num_threads(threads)
	if (omp_get_thread_num() == 1)
		largest = own_stack();
	if (threads > 1)
		CHECK(largest >= bytes && largest < bytes + (1 << 20));
	CHECK(kmp_get_num_known_threads() >= threads);
}

static int team_size(void)
{
	int size = 0;

#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 0)
		size = omp_get_num_threads();
	return size;
}

static void library_mode(void)
{
	int throughput = 3;

	CHECK_EQUAL(kmp_get_library(), 3);
	kmp_set_library_serial();
	CHECK_EQUAL(kmp_get_library(), 1);
	CHECK_EQUAL(team_size(), 1);
	kmp_set_library_turnaround();
	CHECK_EQUAL(kmp_get_library(), 2);
	CHECK_EQUAL(team_size(), 3);
	kmp_set_library_(&throughput);
	CHECK_EQUAL(kmp_get_library_(), 3);
	CHECK_EQUAL(kmp_get_blocktime(), 200);
	kmp_set_library_throughput();
}

static void defaults(void)
{
	static const char fortran[] = "OMP_DYNAMIC=true|NO_SUCH=1|OMP_NUM_THREADS=2 and more";
	int threads = omp_get_max_threads();

	kmp_set_defaults("KMP_BLOCKTIME=34|OMP_NUM_THREADS=3");
	CHECK_EQUAL(kmp_get_blocktime(), 34);
	CHECK_EQUAL(omp_get_max_threads(), 3);
	kmp_set_defaults_(fortran, sizeof("OMP_DYNAMIC=true|NO_SUCH=1|OMP_NUM_THREADS=2") - 1);
	CHECK(omp_get_dynamic());
	CHECK_EQUAL(omp_get_max_threads(), 2);
	omp_set_dynamic(0);
	omp_set_num_threads(threads);
	kmp_set_blocktime(200);
}

static void masks(void)
{
	int first = sched_getcpu(), outside = kmp_get_affinity_max_proc();
	kmp_affinity_mask_t mask, all;

	kmp_create_affinity_mask(&mask);
	kmp_create_affinity_mask(&all);
	CHECK_EQUAL(kmp_get_affinity(&all), 0);
	CHECK_EQUAL(kmp_get_affinity_mask_proc(first, &all), 1);
	CHECK_EQUAL(kmp_set_affinity_mask_proc_(&first, &mask), 0);
	CHECK_EQUAL(kmpc_get_affinity_mask_proc(first, &mask), 1);
	CHECK_EQUAL(kmp_set_affinity(&mask), 0);
	CHECK_EQUAL(kmp_get_affinity(&mask), 0);
	for (int i = 0; i < outside; i++)
		CHECK_EQUAL(kmp_get_affinity_mask_proc(i, &mask), i == first);
	CHECK_EQUAL(kmp_set_affinity_mask_proc(outside, &mask), -1);
	CHECK_EQUAL(kmp_get_affinity_mask_proc(-1, &mask), -1);
	CHECK_EQUAL(kmp_unset_affinity_mask_proc(first, &mask), 0);
	CHECK(kmp_set_affinity(&mask) != 0);
	CHECK_EQUAL(kmp_set_affinity(&all), 0);
	kmp_destroy_affinity_mask(&mask);
	kmp_destroy_affinity_mask(&all);
}

/* omp.h makes these ompc_capture_affinity() and the like. */
static void affinity_format(void)
{
	char text[40];

	omp_set_affinity_format("thread %n of %N");
	CHECK(omp_get_affinity_format(text, sizeof(text)) == strlen("thread %n of %N"));
	CHECK(strcmp(text, "thread %n of %N") == 0);
	omp_capture_affinity(text, sizeof(text), NULL);
	CHECK(strcmp(text, "thread 0 of 1") == 0);
}

int main(void)
{
	stack_size(omp_get_max_threads());
	block_time();
	library_mode();
	defaults();
	masks();
	affinity_format();
	kmp_set_warnings_off();
	kmp_set_warnings_on();
	kmp_set_disp_num_buffers(7);
	for (int kind = 0; kind < 6; kind++)
		CHECK_EQUAL(kmp_get_cancellation_status(kind), 0);
	return check_result();
}
