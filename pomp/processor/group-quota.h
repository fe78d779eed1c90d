/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What keeps processors from the whole process: the quota of its control group (cgroup, version 1
 * or 2), and the machine under a virtual one. Both are figures of the kernel for more than the
 * process.
 */
#ifndef GROUP_QUOTA_H
#define GROUP_QUOTA_H

#include <stdint.h>

struct pomp_group_quota {
	uint64_t thousandths; /* of a processor: the least quota of the groups; 0: none */
	uint64_t throttled;   /* ns, sum over processors: they were kept from these groups */
	uint64_t stolen;      /* ns, sum over processors: a virtual machine had no real processor */
	uint64_t idle;        /* ns, sum over the machine's processors: nobody wanted them */
};

/* Reads them: quotas of the process's group and of those above it, the rest since the boot. */
struct pomp_group_quota pomp_group_quota_read(void);

#endif
