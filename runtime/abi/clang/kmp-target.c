/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What code for devices requests from its runtime. The only device is the host: there are no helper
 * threads that wait for others, and so no handles of what these would wait for.
 */
#include "kmp.h"
#include "process.h"

/* With the meaning that libomptarget gives it. */
enum { OFFLOAD_DISABLED, OFFLOAD_DEFAULT, OFFLOAD_MANDATORY };

LONE_ENTRY(int32_t, __kmpc_get_target_offload, void)
{
	static const int8_t answers[] = {[RT_OFFLOAD_DEFAULT] = OFFLOAD_DEFAULT,
	    [RT_OFFLOAD_MANDATORY] = OFFLOAD_MANDATORY,
	    [RT_OFFLOAD_DISABLED] = OFFLOAD_DISABLED};

	return answers[rt_process.target_offload];
}

/* 0: done, like omp_pause_resource_all(). */
LONE_ENTRY(int32_t, __kmpc_pause_resource, int32_t kind)
{
	(void)kind;
	return rt_thread_pause(false) ? 0 : -1;
}

LONE_ENTRY(bool, __kmpc_omp_has_task_team, int32_t gtid)
{
	(void)gtid;
	return false;
}

LONE_ENTRY(void **, __kmpc_omp_get_target_async_handle_ptr, int32_t gtid)
{
	(void)gtid;
	return NULL;
}
