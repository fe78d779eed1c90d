/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quotas of control groups, of machines that exist only as folders of the files that the kernel
 * shows (cgroups(7); "CFS Bandwidth Control" and "Control Group v2" of the kernel's documents).
 */
#include <inttypes.h>
#include <unistd.h>

#include "made-files.h"
#include "quota.h"

#define MOUNT_2   "41 31 0:38 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_CPU "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
#define MOUNT_SET "34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n"
#define FAR       "/sys/fs/cgroup/"

enum { MOST_FILES = 8 };

struct test {
	const char *name, *cgroup, *mountinfo;
	struct {
		const char *name, *text;
	} files[MOST_FILES];
	uint64_t time, period;
	uint32_t processors, whole;
	const char *file, *problem; /* NULL: none */
};

static const struct test tests[] = {
    {"no groups at all", NULL, NULL, {{NULL, NULL}}, 0, 0, UINT32_MAX, UINT32_MAX, NULL, NULL},
    {"version 2, own group", "0::/box\n", MOUNT_2, {{FAR "box/cpu.max", "150000 100000\n"}}, 150000,
	100000, 2, 1, FAR "box/cpu.max", NULL},
    {"version 2, none", "0::/box\n", MOUNT_2, {{FAR "box/cpu.max", "max 100000\n"}}, 0, 0,
	UINT32_MAX, UINT32_MAX, NULL, NULL},
    {"version 2, a group around it", "0::/a/b/c\n", MOUNT_2,
	{{FAR "a/cpu.max", "100000 100000\n"}, {FAR "a/b/cpu.max", "max 100000\n"},
	    {FAR "a/b/c/cpu.max", "20000 10000\n"}},
	100000, 100000, 1, 1, FAR "a/cpu.max", NULL},
    {"version 2, other periods", "0::/a/b\n", MOUNT_2,
	{{FAR "a/cpu.max", "300000 100000\n"}, {FAR "a/b/cpu.max", "25000 10000\n"}}, 25000, 10000,
	3, 2, FAR "a/b/cpu.max", NULL},
    {"half a processor", "0::/box\n", MOUNT_2, {{FAR "box/cpu.max", "50000 100000\n"}}, 50000,
	100000, 1, 0, FAR "box/cpu.max", NULL},
    {"a container's own top", "0::/\n", MOUNT_2, {{FAR "cpu.max", "200000 100000\n"}}, 200000,
	100000, 2, 2, FAR "cpu.max", NULL},
    {"a group outside of the name space", "0::/../other\n", MOUNT_2,
	{{FAR "cpu.max", "200000 100000\n"}, {"/sys/fs/other/cpu.max", "1000 100000\n"}}, 200000,
	100000, 2, 2, FAR "cpu.max", NULL},
    {"version 1", "9:name=systemd:/\n4:cpu,cpuacct:/docker/1\n0::/\n", MOUNT_SET MOUNT_CPU MOUNT_2,
	{{FAR "cpu/docker/1/cpu.cfs_quota_us", "250000\n"},
	    {FAR "cpu/docker/1/cpu.cfs_period_us", "100000\n"},
	    {FAR "cpu/docker/cpu.cfs_quota_us", "-1\n"},
	    {FAR "cpu/docker/cpu.cfs_period_us", "100000\n"},
	    {FAR "cpuset/docker/1/cpu.cfs_quota_us", "1000\n"},
	    {FAR "cpuset/docker/1/cpu.cfs_period_us", "100000\n"}},
	250000, 100000, 3, 2, FAR "cpu/docker/1/cpu.cfs_quota_us", NULL},
    {"version 1, only the own group is mounted", "4:cpuacct,cpu:/docker/1\n",
	"32 31 0:29 /docker/1 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpuacct,cpu\n",
	{{FAR "cpu/cpu.cfs_quota_us", "100000"}, {FAR "cpu/cpu.cfs_period_us", "50000"}}, 100000,
	50000, 2, 2, FAR "cpu/cpu.cfs_quota_us", NULL},
    {"both versions", "1:cpu:/one\n0::/two\n", MOUNT_CPU MOUNT_2,
	{{FAR "cpu/one/cpu.cfs_quota_us", "300000"}, {FAR "cpu/one/cpu.cfs_period_us", "100000"},
	    {FAR "two/cpu.max", "200000 100000"}},
	200000, 100000, 2, 2, FAR "two/cpu.max", NULL},
    {"a folder with a blank in its name", "0::/my box\n",
	"41 31 0:38 / /sys/fs/my\\040groups rw - cgroup2 none rw\n",
	{{"/sys/fs/my groups/my box/cpu.max", "100000 100000"}}, 100000, 100000, 1, 1,
	"/sys/fs/my groups/my box/cpu.max", NULL},
    {"more than the machine can have", "0::/box\n", MOUNT_2,
	{{FAR "box/cpu.max", "1000000000000000 1\n"}}, UINT64_C(1000000000000000), 1, UINT32_MAX,
	UINT32_MAX, FAR "box/cpu.max", NULL},
    {"zero", "0::/box\n", MOUNT_2, {{FAR "box/cpu.max", "0 100000\n"}}, 0, 0, UINT32_MAX,
	UINT32_MAX, NULL,
	FAR
	"box/cpu.max: '0 100000': expected microseconds or max, and the microseconds of a period"},
    {"no period", "0::/box\n", MOUNT_2, {{FAR "box/cpu.max", "100000\n"}}, 0, 0, UINT32_MAX,
	UINT32_MAX, NULL,
	FAR
	"box/cpu.max: '100000': expected microseconds or max, and the microseconds of a period"},
    {"negative", "0::/box\n", MOUNT_2, {{FAR "box/cpu.max", "-5 100000\n"}}, 0, 0, UINT32_MAX,
	UINT32_MAX, NULL,
	FAR
	"box/cpu.max: '-5 100000': expected microseconds or max, and the microseconds of a period"},
    {"more than 64 bits", "0::/box\n", MOUNT_2,
	{{FAR "box/cpu.max", "99999999999999999999999 100000\n"}}, 0, 0, UINT32_MAX, UINT32_MAX,
	NULL,
	FAR "box/cpu.max: '99999999999999999999999 100000': expected microseconds or max, and the "
	    "microseconds of a period"},
    {"empty, and a good one around it", "0::/a/box\n", MOUNT_2,
	{{FAR "a/box/cpu.max", ""}, {FAR "a/cpu.max", "100000 100000"}}, 100000, 100000, 1, 1,
	FAR "a/cpu.max",
	FAR "a/box/cpu.max: '': expected microseconds or max, and the microseconds of a period"},
    {"a folder in place of the file", "0::/box\n", MOUNT_2,
	{{FAR "box/cpu.max/file", "100000 100000"}}, 0, 0, UINT32_MAX, UINT32_MAX, NULL,
	FAR "box/cpu.max: '': expected microseconds or max, and the microseconds of a period"},
    {"version 1, a quota without a period", "1:cpu:/\n", MOUNT_CPU,
	{{FAR "cpu/cpu.cfs_quota_us", "100000"}}, 0, 0, UINT32_MAX, UINT32_MAX, NULL, NULL},
    {"version 1, a period of zero", "1:cpu:/\n", MOUNT_CPU,
	{{FAR "cpu/cpu.cfs_quota_us", "100000"}, {FAR "cpu/cpu.cfs_period_us", "0"}}, 0, 0,
	UINT32_MAX, UINT32_MAX, NULL, FAR "cpu/cpu.cfs_period_us: '0': expected microseconds"},
    {"lines that nobody wrote", "\n:\n::\n0\n0::/box\nx:cpu",
	"\n-\n - cgroup\n1 2 - cgroup2 a b\n" MOUNT_2, {{FAR "box/cpu.max", "100000 100000"}},
	100000, 100000, 1, 1, FAR "box/cpu.max", NULL},
};

static bool same_text(const char *found, const char *wanted)
{
	return found == NULL || wanted == NULL ? found == wanted : strcmp(found, wanted) == 0;
}

/* Returns whether the quota is as the test wants it. */
static bool passes(const struct test *test)
{
	char root[] = "/tmp/quota-XXXXXX", command[64];
	struct rt_quota quota;
	bool held;

	if (!mkdtemp(root)) {
		perror(root);
		exit(1);
	}
	if (test->cgroup)
		put_file(root, "/proc/self/cgroup", test->cgroup);
	if (test->mountinfo)
		put_file(root, "/proc/self/mountinfo", test->mountinfo);
	for (int i = 0; i < MOST_FILES && test->files[i].name; i++)
		put_file(root, test->files[i].name, test->files[i].text);
	rt_quota_read(root, &quota);
	held = quota.time == test->time && quota.period == test->period &&
	       rt_quota_processors(&quota) == test->processors &&
	       rt_quota_whole_processors(&quota) == test->whole &&
	       same_text(quota.file, test->file) && same_text(quota.problem, test->problem);
	if (!held)
		fprintf(stderr,
		    "%s: expected %" PRIu64 " of %" PRIu64
		    " us, %u and %u processors, file %s, problem %s\n"
		    "    found    %" PRIu64 " of %" PRIu64
		    " us, %u and %u processors, file %s, problem %s\n",
		    test->name, test->time, test->period, test->processors, test->whole,
		    test->file ? test->file : "none", test->problem ? test->problem : "none",
		    quota.time, quota.period, rt_quota_processors(&quota),
		    rt_quota_whole_processors(&quota), quota.file ? quota.file : "none",
		    quota.problem ? quota.problem : "none");
	rt_quota_finish(&quota);
	snprintf(command, sizeof(command), "rm -r %s", root);
	if (system(command) != 0)
		exit(1);
	return held;
}

int main(void)
{
	int failures = 0;

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		failures += !passes(&tests[i]);
	return failures != 0;
}
