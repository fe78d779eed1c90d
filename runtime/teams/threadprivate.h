/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threadprivate variables without the compiler's thread-local storage: the process's initial thread
 * uses the variable itself. Each other thread has a copy, which is made when the thread first asks
 * and freed when the thread ends.
 */
#ifndef RT_THREADPRIVATE_H
#define RT_THREADPRIVATE_H
#include <stdatomic.h>
#include <stddef.h>

struct rt_thread;

/*
 * Functions that make and destroy a copy; each may be NULL. If construct and copy are both NULL,
 * copies begin with the bytes that the variable had when it was first asked for. count: number of
 * elements of an array, for the _array functions; 0 for one object.
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
 * The copies of a variable, by the threads' global numbers; NULL for a thread that has none yet. A
 * thread reads and writes only its own entry. Code of compilers reads it directly.
 */
typedef _Atomic(void **) rt_threadprivate_cache;

/* Called before any thread asks for the variable. */
void rt_threadprivate_describe(void *original, const struct rt_threadprivate_functions *functions);

/*
 * Returns the calling thread's copy of the variable of `size` bytes, and makes it if there is none.
 * Sets *cache, unless cache is NULL.
 */
void *rt_threadprivate_get(
    struct rt_thread *self, void *original, size_t size, rt_threadprivate_cache *cache);

/* The calling thread ends: destroys its copies, newest first. */
void rt_threadprivate_end(struct rt_thread *self);

#endif
