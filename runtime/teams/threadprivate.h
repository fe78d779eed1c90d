/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threadprivate variables without thread-local storage of the compiler: the process's initial
 * thread has the variable itself, each other one a copy that is made when the thread first asks,
 * and is gone with the thread.
 */
#ifndef RT_THREADPRIVATE_H
#define RT_THREADPRIVATE_H
#include <stdatomic.h>
#include <stddef.h>

struct rt_thread;

/*
 * What makes and destroys a copy, any of them NULL: then copies begin with the bytes that the
 * variable had when it was first asked for. count: of an array's elements, which _array functions
 * get; 0 for one object.
 */
struct rt_threadprivate_functions {
	size_t count;
	union {
		void *(*construct)(void *copy);
		void *(*construct_array)(void *copies, size_t count);
	};
	union {
		void *(*copy)(void *copy, void *original);
		void *(*copy_array)(void *copies, void *originals, size_t count);
	};
	union {
		void (*destroy)(void *copy);
		void (*destroy_array)(void *copies, size_t count);
	};
};

/*
 * Where the copies of a variable are, by the threads' global numbers; NULL for a thread that has
 * none yet. A thread reads and writes its own place only. Code of compilers looks there itself.
 */
typedef _Atomic(void **) rt_threadprivate_cache;

/* Before any thread asks for the variable. */
void rt_threadprivate_describe(void *original, const struct rt_threadprivate_functions *functions);

/*
 * The calling thread's copy of the variable of so many bytes, which is made if it has none. *cache
 * is set; NULL: there is none.
 */
void *rt_threadprivate_get(
    struct rt_thread *self, void *original, size_t size, rt_threadprivate_cache *cache);

/* The thread, which is the caller, ends: destroys its copies, the newest first. */
void rt_threadprivate_end(struct rt_thread *self);

#endif
