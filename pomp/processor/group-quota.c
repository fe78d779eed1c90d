/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /proc/self/cgroup names the process's group, and /proc/self/mountinfo where groups are visible
 * and which of them is on top there. Each folder from there to the group may have a quota: version
 * 2  cpu.max: "QUOTA PERIOD" or "max PERIOD"; throttled_usec in cpu.stat version 1 cpu.cfs_quota_us
 * and cpu.cfs_period_us; throttled_time in cpu.stat, in nanoseconds
 */
#include "group-quota.h"

#include "shared/read-text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a file of the folder; false: there is none. */
static bool read_in(const char *folder, const char *name, char *text, size_t room)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return false;
	return read_text(path, text, room);
}

/* Returns the number behind a word at the begin of a line; 0: there is none. */
static uint64_t number_after(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *line = text; line != NULL && *line != '\0';) {
		if (strncmp(line, word, length) == 0 && line[length] == ' ')
			return strtoull(line + length, NULL, 10);
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return 0;
}

static void take_quota(struct pomp_group_quota *quota, long long time, long long period)
{
	if (time <= 0 || period <= 0)
		return;
	uint64_t thousandths = (uint64_t)time * 1000 / (uint64_t)period;
	if (quota->thousandths == 0 || thousandths < quota->thousandths)
		quota->thousandths = thousandths;
}

static void read_folder(const char *folder, struct pomp_group_quota *quota)
{
	char text[1024], period[64], *end;

	if (read_in(folder, "cpu.max", text, sizeof(text))) {
		long long time = strtoll(text, &end, 10); /* "max": 0 */
		take_quota(quota, time, strtoll(end, NULL, 10));
	} else if (read_in(folder, "cpu.cfs_quota_us", text, sizeof(text)) &&
		   read_in(folder, "cpu.cfs_period_us", period, sizeof(period))) {
		take_quota(quota, strtoll(text, NULL, 10), strtoll(period, NULL, 10));
	}
	if (read_in(folder, "cpu.stat", text, sizeof(text)))
		quota->throttled += number_after(text, "throttled_usec") * 1000 +
				    number_after(text, "throttled_time");
}

/* Reads the folder of the group, and those above it up to the mounted one. */
static void read_folders(
    const char *mounted, const char *top, const char *group, struct pomp_group_quota *quota)
{
	char folder[PATH_MAX];
	size_t above = strcmp(top, "/") == 0 ? 0 : strlen(top), least = strlen(mounted);

	/* A group that is not below the visible top: the top is what applies. */
	const char *below = strncmp(group, top, above) == 0 ? group + above : "";
	if ((size_t)snprintf(folder, sizeof(folder), "%s%s", mounted, below) >= sizeof(folder))
		return;
	for (;;) {
		size_t length = strlen(folder);
		while (length > least && folder[length - 1] == '/')
			folder[--length] = '\0';
		read_folder(folder, quota);
		char *slash = strrchr(folder, '/');
		if (length <= least || slash == NULL || (size_t)(slash - folder) < least)
			break;
		*slash = '\0';
	}
}

/* Returns whether a list with commas has the word. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list != NULL; list = strchr(list, ',')) {
		list += *list == ',';
		if (strncmp(list, word, length) == 0 && strchr(",:\n", list[length]) != NULL)
			return true;
	}
	return false;
}

/* Copies the process's group in the hierarchy of version 2, or in that of the processors. */
static bool find_group(const char *groups, bool is_unified, char *group, size_t room)
{
	for (const char *line = groups; line != NULL && *line != '\0';) {
		const char *controllers = strchr(line, ':');
		const char *name = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
		if (name == NULL)
			return false;
		if (is_unified ? name == controllers + 1 : has_word(controllers + 1, "cpu")) {
			snprintf(group, room, "%.*s", (int)strcspn(name + 1, "\n"), name + 1);
			return true;
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return false;
}

/* Reads what one line of mountinfo (proc(5)) mounts, if it is a hierarchy of groups. */
static void read_mount(char *line, const char *groups, struct pomp_group_quota *quota)
{
	char group[PATH_MAX], top[PATH_MAX], mounted[PATH_MAX];
	char *type = strstr(line, " - cgroup");

	if (type == NULL || sscanf(line, "%*s %*s %*s %4095s %4095s", top, mounted) != 2)
		return;
	bool is_unified = strncmp(type, " - cgroup2 ", 11) == 0;
	char *options = strrchr(line, ' ');
	if (!is_unified && (options == NULL || !has_word(options + 1, "cpu")))
		return;
	if (find_group(groups, is_unified, group, sizeof(group)))
		read_folders(mounted, top, group, quota);
}

static void read_machine(struct pomp_group_quota *quota)
{
	char text[512];
	unsigned long long idle = 0, stolen = 0;
	long ticks = sysconf(_SC_CLK_TCK);

	if (ticks <= 0 || !read_in("/proc", "stat", text, sizeof(text)))
		return;
	/* Of all processors: user, nice, system, idle, iowait, irq, softirq, steal. */
	if (sscanf(text, "cpu %*u %*u %*u %llu %*u %*u %*u %llu", &idle, &stolen) != 2)
		return;
	quota->idle = (uint64_t)idle * (1000000000u / (uint64_t)ticks);
	quota->stolen = (uint64_t)stolen * (1000000000u / (uint64_t)ticks);
}

struct pomp_group_quota pomp_group_quota_read(void)
{
	struct pomp_group_quota quota = {0};
	char groups[4096], *line = NULL;
	size_t size = 0;
	FILE *mounts = read_in("/proc/self", "cgroup", groups, sizeof(groups))
			   ? fopen("/proc/self/mountinfo", "re")
			   : NULL;

	read_machine(&quota);
	while (mounts != NULL && getline(&line, &size, mounts) > 0)
		read_mount(line, groups, &quota);
	free(line);
	if (mounts != NULL)
		fclose(mounts);
	return quota;
}
