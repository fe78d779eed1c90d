/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How internal control variables pass from a task to the implicit tasks of a region that it starts.
 * All other inheritance is a structure assignment, done where a task is made.
 */
#include "icv.h"

#include "process.h"
#include "shared/precondition.h"

/*
 * The element of a list that applies at the given depth, or the fallback after the end of the list.
 */
static uint32_t list_element(const struct rt_value_list *list, size_t depth, uint32_t fallback)
{
	return depth < list->count ? list->values[depth] : fallback;
}

static void set_list(struct rt_task_icvs *icvs, const uint32_t *list, uint16_t count)
{
	icvs->nthreads = list[0];
	icvs->inner_threads = list + 1;
	icvs->inner_count = (uint16_t)(count - 1);
}

void rt_icvs_inherit(struct rt_task_icvs *child, const struct rt_task_icvs *parent)
{
	*child = *parent;
	if (child->list_depth < UINT16_MAX)
		child->list_depth++;
	if (!child->nthreads_by_clause)
		child->nthreads =
		    list_element(&rt_process.nthreads_list, child->list_depth, parent->nthreads);
	else if (child->inner_count != 0)
		set_list(child, child->inner_threads, child->inner_count);
	/* bind-var false ends all binding; a deeper element must not switch it on again. */
	if (parent->bind != RT_BIND_FALSE)
		child->bind =
		    (uint8_t)list_element(&rt_process.bind_list, child->list_depth, parent->bind);
}

void rt_icvs_inherit_list(struct rt_task_icvs *child, const struct rt_task_icvs *parent,
    const uint32_t *rest, uint16_t count)
{
	CHECK(count > 0, "the list has a number");
	rt_icvs_inherit(child, parent);
	child->nthreads_by_clause = true;
	set_list(child, rest, count);
}
