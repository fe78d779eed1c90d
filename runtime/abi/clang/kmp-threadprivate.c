/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threadprivate as calls, which clang makes with -fnoopenmp-use-tls, and icx: each use looks a
 * variable up, through a word next to it that the runtime sets once.
 */
#include "kmp.h"
#include "threadprivate.h"

KMP_ENTRY(
    void *, __kmpc_threadprivate_cached, void *original, size_t size, rt_threadprivate_cache *cache)
{
	struct rt_thread *self = rt_self();
	void **places = load_acquire(cache);

	KMP_UNUSED();
	if (likely(places && self->global_number < RT_GLOBAL_NUMBERS)) {
		void *own = places[self->global_number];
		if (likely(own))
			return own;
	}
	return rt_threadprivate_get(self, original, size, cache);
}

KMP_ENTRY(void *, __kmpc_threadprivate, void *original, size_t size)
{
	KMP_UNUSED();
	return rt_threadprivate_get(rt_self(), original, size, NULL);
}

LONE_ENTRY(void, __kmpc_threadprivate_register, const struct kmp_ident *ident, void *original,
    void *(*construct)(void *), void *(*copy)(void *, void *), void (*destroy)(void *))
{
	struct rt_threadprivate_functions functions = {
	    .construct = construct, .copy = copy, .destroy = destroy};

	(void)ident;
	rt_threadprivate_describe(original, &functions);
}

LONE_ENTRY(void, __kmpc_threadprivate_register_vec, const struct kmp_ident *ident, void *original,
    void *(*construct)(void *, size_t), void *(*copy)(void *, void *, size_t),
    void (*destroy)(void *, size_t), size_t count)
{
	struct rt_threadprivate_functions functions = {.count = count,
	    .construct_array = construct,
	    .copy_array = copy,
	    .destroy_array = destroy};

	(void)ident;
	rt_threadprivate_describe(original, &functions);
}
