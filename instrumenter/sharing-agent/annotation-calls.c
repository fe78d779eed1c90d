/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program tells ThreadSanitizer about its own locks and fibers, by the functions of
 * <sanitizer/tsan_interface.h>: nothing of it changes which lines threads share.
 */
#include <stddef.h>

#define IGNORED(result, name, parameters, ...)                                                     \
	__attribute__((visibility("default"))) result name parameters;                             \
	__attribute__((visibility("default"))) result name parameters                              \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}

#define ABOUT_ADDRESS(name) IGNORED(void, name, (void *address), (void)address)
#define ABOUT_MUTEX(name)                                                                          \
	IGNORED(void, __tsan_mutex_##name, (void *address, unsigned flags), (void)address,         \
	    (void)flags)

ABOUT_ADDRESS(__tsan_acquire)
ABOUT_ADDRESS(__tsan_release)
ABOUT_MUTEX(create)
ABOUT_MUTEX(destroy)
ABOUT_MUTEX(pre_lock)
ABOUT_MUTEX(post_unlock)
ABOUT_MUTEX(pre_signal)
ABOUT_MUTEX(post_signal)
ABOUT_MUTEX(pre_divert)
ABOUT_MUTEX(post_divert)
IGNORED(void, __tsan_mutex_post_lock, (void *address, unsigned flags, int recursion), (void)address,
    (void)flags, (void)recursion)
IGNORED(int, __tsan_mutex_pre_unlock, (void *address, unsigned flags), (void)address, (void)flags;
	return 1)
IGNORED(void *, __tsan_get_current_fiber, (void), return NULL)
IGNORED(void *, __tsan_create_fiber, (unsigned flags), (void)flags; return NULL)
ABOUT_ADDRESS(__tsan_destroy_fiber)
IGNORED(void, __tsan_switch_to_fiber, (void *fiber, unsigned flags), (void)fiber, (void)flags)
IGNORED(void, __tsan_set_fiber_name, (void *fiber, const char *name), (void)fiber, (void)name)
