/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of threads: the record and the slab. */
#include "thread-record.h"

#include <stdlib.h>

#include "slab.h"

struct rt_thread *rt_thread_new(void)
{
	struct rt_thread *thread = aligned_alloc(PROCESSOR_APART, rt_padded_size(sizeof(*thread)));

	if (thread == NULL)
		return NULL;
	*thread = (struct rt_thread){.teams_count = 1, .place = -1};
	thread->random = (uint32_t)((uintptr_t)thread >> 7) * 2654435761u | 1;
	thread->slab = rt_slab_new();
	if (thread->slab == NULL) {
		free(thread);
		return NULL;
	}
	return thread;
}
