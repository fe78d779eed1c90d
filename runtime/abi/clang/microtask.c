/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of functions whose number of arguments is known only when they are called. In the calling
 * conventions of all processors the caller removes arguments, so a function may be called with more
 * than it has: each number in a short list serves all smaller ones down to the previous number.
 */
#include "microtask.h"

#include <string.h>

#include "kmp-work-left.h"
#include "message.h"
#include "task.h"
#include "watch.h"

#define FOUR(i)      , a[i], a[(i) + 1], a[(i) + 2], a[(i) + 3]
#define SIXTEEN(i)   FOUR(i) FOUR((i) + 4) FOUR((i) + 8) FOUR((i) + 12)
#define SIXTYFOUR(i) SIXTEEN(i) SIXTEEN((i) + 16) SIXTEEN((i) + 32) SIXTEEN((i) + 48)

void kmp_microtask_arguments(int32_t count, void **arguments, va_list list)
{
	if (unlikely(count > KMP_ARGUMENTS_AT_MOST))
		rt_fatal(
		    "a region uses %d variables of the function around it, expected %d at most; "
		    "the program ends here",
		    count, KMP_ARGUMENTS_AT_MOST);
	for (int32_t i = 0; i < count; i++)
		arguments[i] = va_arg(list, void *);
}

/* Many arguments, in a separate array with room for the rest of the call's arguments. */
static void call_with_many(
    kmp_microtask_fn *fn, int32_t *gtid, int32_t *number, int32_t count, void *const *arguments)
{
	void *a[KMP_ARGUMENTS_AT_MOST];

	memset(a, 0, sizeof(a));
	memcpy(a, arguments, (size_t)count * sizeof(a[0]));
	if (count <= 64)
		fn(gtid, number SIXTYFOUR(0));
	else if (count <= 128)
		fn(gtid, number SIXTYFOUR(0) SIXTYFOUR(64));
	else
		fn(gtid, number SIXTYFOUR(0) SIXTYFOUR(64) SIXTYFOUR(128) SIXTYFOUR(192)
			     SIXTYFOUR(256) SIXTYFOUR(320) SIXTYFOUR(384) SIXTYFOUR(448));
}

static inline __attribute__((always_inline)) void call(
    const struct kmp_microtask *microtask, int32_t *gtid, int32_t *number)
{
	void *const *a = microtask->arguments;
	kmp_microtask_fn *fn = microtask->fn;

	switch (microtask->count) {
	case 0:
		fn(gtid, number);
		break;
	case 1:
		fn(gtid, number, a[0]);
		break;
	case 2:
		fn(gtid, number, a[0], a[1]);
		break;
	case 3:
		fn(gtid, number, a[0], a[1], a[2]);
		break;
	case 4:
		fn(gtid, number FOUR(0));
		break;
	case 5:
		fn(gtid, number FOUR(0), a[4]);
		break;
	case 6:
		fn(gtid, number FOUR(0), a[4], a[5]);
		break;
	case 7:
		fn(gtid, number FOUR(0), a[4], a[5], a[6]);
		break;
	case 8:
		fn(gtid, number FOUR(0) FOUR(4));
		break;
	default:
		call_with_many(fn, gtid, number, microtask->count, a);
	}
}

/* MemorySanitizer's, in a program that has it. */
__attribute__((weak)) void __msan_unpoison(const volatile void *address, size_t bytes);
__attribute__((weak)) void __msan_unpoison_param(size_t count);

enum { MSAN_ARGUMENTS = 100 }; /* for which it has room */

RT_COLD void kmp_note_arguments(int32_t count)
{
	if (__msan_unpoison_param != NULL)
		__msan_unpoison_param(count < MSAN_ARGUMENTS ? (size_t)count : MSAN_ARGUMENTS);
}

static RT_COLD void note_numbers(const int32_t *gtid, const int32_t *number, int32_t count)
{
	if (__msan_unpoison != NULL) {
		__msan_unpoison(gtid, sizeof(*gtid));
		__msan_unpoison(number, sizeof(*number));
	}
	kmp_note_arguments(count + 2);
}

void kmp_microtask_run(void *microtask)
{
	struct rt_thread *self = rt_current;
	int32_t gtid = (int32_t)self->global_number, number = (int32_t)self->number;

	/* An earlier function of the program may have had unwritten variables here. */
	if (rt_watched(RT_BY_RACE))
		note_numbers(&gtid, &number, ((const struct kmp_microtask *)microtask)->count);
	if (rt_watched(RT_BY_TOOL))
		rt_task_note_exit_frame(self->task);
	call(microtask, &gtid, &number);
	kmp_leave_work(self);
}
