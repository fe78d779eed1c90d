/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiler's list of a task's dependences; see depend-items.h. */
#include "depend-items.h"

#include <stdint.h>

size_t rt_depend_count(void **depend)
{
	return (size_t)(uintptr_t)(depend[0] != NULL ? depend[0] : depend[1]);
}

/* The kinds in a depend object are GOMP_DEPEND_IN, OUT, INOUT, MUTEXINOUTSET, INOUTSET: 1 .. 5. */
struct rt_depend_item rt_depend_item(void **depend, size_t index)
{
	size_t outs, others, ins;

	if (depend[0] != NULL)
		return (struct rt_depend_item){depend[2 + index],
		    index < (size_t)(uintptr_t)depend[1] ? RT_DEPEND_OUT : RT_DEPEND_IN};
	outs = (size_t)(uintptr_t)depend[2];
	others = (size_t)(uintptr_t)depend[3];
	ins = (size_t)(uintptr_t)depend[4];
	if (index < outs + others)
		return (struct rt_depend_item){depend[5 + index], RT_DEPEND_OUT};
	if (index < outs + others + ins)
		return (struct rt_depend_item){depend[5 + index], RT_DEPEND_IN};
	void **object = depend[5 + index];
	switch ((uintptr_t)object[1]) {
	case 1:
		return (struct rt_depend_item){object[0], RT_DEPEND_IN};
	case 5:
		return (struct rt_depend_item){object[0], RT_DEPEND_SET};
	default:
		return (struct rt_depend_item){object[0], RT_DEPEND_OUT};
	}
}
