/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of constructs that can be cancelled, in clang's code and clang's omp.h. */
#ifndef RT_KMP_CANCEL_H
#define RT_KMP_CANCEL_H
#include <stddef.h>
#include <stdint.h>

#include "cancel.h"

/* The runtime's kind for the number; 0: there is none. */
static inline int kmp_cancel_kind(int32_t number)
{
	static const int kinds[] = {
	    0, RT_CANCEL_PARALLEL, RT_CANCEL_LOOP, RT_CANCEL_SECTIONS, RT_CANCEL_TASKGROUP};

	return number > 0 && (size_t)number < sizeof(kinds) / sizeof(kinds[0]) ? kinds[number] : 0;
}

#endif
