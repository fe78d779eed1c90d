/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threadprivate by calls of the runtime (-fnoopenmp-use-tls): copies begin as the variable began,
 * stay between regions, are given by copyin, are constructed once and destroyed with their thread,
 * whose number another thread gets with a copy of its own.
 */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>

#include "check.h"

static int number = 7, table[100] = {1, 2, 3};
static double zero[3];
#pragma omp threadprivate(number, table, zero)

/* Known to the runtime by calls alone, as clang++ and icx make them. */
static struct object {
	int value, by;
} object = {50, -1}, array[3] = {{1, -1}, {2, -1}, {3, -1}};
static int made, destroyed, made_elements, destroyed_elements;
static void **cache;

int __kmpc_global_thread_num(void *place);
void *__kmpc_threadprivate(void *place, int gtid, void *original, size_t size);
void *__kmpc_threadprivate_cached(
    void *place, int gtid, void *original, size_t size, void ***cache);
void __kmpc_threadprivate_register(void *place, void *original, void *(*construct)(void *),
    void *(*copy)(void *, void *), void (*destroy)(void *));
void __kmpc_threadprivate_register_vec(void *place, void *original,
    void *(*construct)(void *, size_t), void *(*copy)(void *, void *, size_t),
    void (*destroy)(void *, size_t), size_t count);

static struct {
	int reserved, flags, others[2];
	const char *source;
} here = {.flags = 2, .source = ";threadprivate.c;test;1;1;;"};

static struct object *own_object(void)
{
	return __kmpc_threadprivate_cached(
	    &here, __kmpc_global_thread_num(&here), &object, sizeof(object), &cache);
}

/* It asks for what it makes, and finds that. */
static void *construct(void *memory)
{
	struct object *copy = memory;

	CHECK(own_object() == copy);
	*copy = (struct object){60, 0};
	count(&made);
	return memory;
}

static void destroy(void *memory)
{
	struct object *copy = memory;

	CHECK_EQUAL(copy->value, 61);
	count(&destroyed);
}

static void *construct_array(void *memory, size_t elements)
{
	for (size_t i = 0; i < elements; i++) {
		((struct object *)memory)[i].value = 70;
		count(&made_elements);
	}
	return memory;
}

static void destroy_array(void *memory, size_t elements)
{
	(void)memory;
	__atomic_fetch_add(&destroyed_elements, (int)elements, __ATOMIC_RELAXED);
}

static void directives(int threads)
{
	table[1] = 20;
	number = 8;
#pragma omp parallel
	{
		bool is_first = omp_get_thread_num() == 0;

		CHECK_EQUAL(number, is_first ? 8 : 7);
		CHECK_EQUAL(table[1], is_first ? 20 : 2);
		CHECK_EQUAL(table[99], 0);
		CHECK(zero[0] == 0 && (uintptr_t)zero % _Alignof(double) == 0);
		zero[2] = omp_get_thread_num();
		number = 100 + omp_get_thread_num();
	}
#pragma omp parallel
	{
		CHECK_EQUAL(number, 100 + omp_get_thread_num());
		CHECK(zero[2] == omp_get_thread_num());
	}
	number = 33;
#pragma omp parallel copyin(number)
	CHECK_EQUAL(number, 33);
	(void)threads;
}

static void calls(int threads)
{
	made = 0;
#pragma omp parallel
	{
		struct object *mine = own_object(), *again = own_object();
		struct object *elements = __kmpc_threadprivate(
		    &here, __kmpc_global_thread_num(&here), array, sizeof(array));

		CHECK(mine == again);
		CHECK(cache[__kmpc_global_thread_num(&here)] == mine);
		CHECK((mine == &object) == (omp_get_thread_num() == 0));
		CHECK((elements == array) == (omp_get_thread_num() == 0));
		if (omp_get_thread_num() > 0) {
			CHECK_EQUAL(mine->value, 60);
			CHECK_EQUAL(elements[2].value, 70);
		}
		mine->value++;
	}
	CHECK_EQUAL(object.value, 51);
	CHECK_EQUAL(made, threads - 1);
	CHECK_EQUAL(made_elements, 3 * (threads - 1));
}

static void *foreign(void *unused)
{
	struct object *mine = own_object();

	(void)unused;
	CHECK(mine != &object);
	CHECK_EQUAL(mine->value, 60);
	CHECK_EQUAL(number, 7);
	mine->value++;
	number = 1234;
	CHECK_EQUAL(((struct object *)__kmpc_threadprivate(
			&here, __kmpc_global_thread_num(&here), array, sizeof(array)))[1]
			.value,
	    70);
	return NULL;
}

/* A child keeps the copy of the thread that forked, which is its first one and has the first
 * number. */
static void *forking(void *unused)
{
	struct object *mine = own_object();
	int status = -1;
	pid_t child;

	mine->value = 61;
	number = 55;
	child = fork();
	if (child == 0)
		_exit(
		    own_object() != mine || mine->value != 61 || number != 55 || cache[0] != mine);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_EQUAL(status, 0);
	return unused;
}

static void child_process(void)
{
	pthread_t thread;

	CHECK_EQUAL(pthread_create(&thread, NULL, forking, NULL), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
}

/* One after the other, so that they have the same number. */
static void threads_that_end(void)
{
	made = destroyed = made_elements = destroyed_elements = 0;
	for (int i = 0; i < 3; i++) {
		pthread_t thread;

		CHECK_EQUAL(pthread_create(&thread, NULL, foreign, NULL), 0);
		CHECK_EQUAL(pthread_join(thread, NULL), 0);
	}
	CHECK_EQUAL(made, 3);
	CHECK_EQUAL(destroyed, 3);
	CHECK_EQUAL(made_elements, 9);
	CHECK_EQUAL(destroyed_elements, 9);
}

int main(void)
{
	__kmpc_threadprivate_register(&here, &object, construct, NULL, destroy);
	__kmpc_threadprivate_register_vec(&here, array, construct_array, NULL, destroy_array, 3);
	CHECK(own_object() == &object);
	directives(omp_get_max_threads());
	calls(omp_get_max_threads());
	threads_that_end();
	child_process();
	return check_result();
}
