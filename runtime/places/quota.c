/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files with a group's quota:
 *   version 2  cpu.max: "QUOTA PERIOD", or "max PERIOD" for none
 *   version 1  cpu.cfs_quota_us, -1 for none, and cpu.cfs_period_us
 * /proc/self/cgroup has a line for each hierarchy, "NUMBER:CONTROLLERS:GROUP", with number 0 and no
 * controllers for version 2. /proc/self/mountinfo tells where a hierarchy is mounted and which
 * group is the top that is visible there: in a container often the process's own group, or one
 * above it. Each folder from the own group up to the mounted one may have a quota, and the smallest
 * applies.
 */
#include "quota.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value-scan.h"

/* The kernel has no larger ones: 31 years, and 17 minutes. */
#define MOST_TIME   UINT64_C(1000000000000000)
#define MOST_PERIOD UINT64_C(1000000000)

/*
 * The process's group in each hierarchy that can have a quota, in memory from malloc(); NULL: none.
 */
struct groups {
	char *cpu;     /* version 1 */
	char *unified; /* version 2 */
};

static bool has_word(const char *list, const char *end, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at < end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma != NULL ? comma : end;
		if ((size_t)(stop - at) == length && memcmp(at, word, length) == 0)
			return true;
		at = stop + 1;
	}
	return false;
}

static void trim_line(char *line)
{
	line[strcspn(line, "\n")] = '\0';
}

static FILE *open_below(const char *root, const char *path)
{
	char full[PATH_MAX];

	if ((size_t)snprintf(full, sizeof(full), "%s%s", root, path) >= sizeof(full)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(full, "re");
}

static void read_groups(const char *root, struct groups *groups)
{
	FILE *file = open_below(root, "/proc/self/cgroup");
	char *line = NULL;
	size_t size = 0;

	if (file == NULL)
		return;
	while (getline(&line, &size, file) > 0) {
		char *controllers = strchr(line, ':');
		char *group = controllers != NULL ? strchr(++controllers, ':') : NULL;
		if (group == NULL)
			continue;
		trim_line(line);
		if (strncmp(line, "0::", 3) == 0 && groups->unified == NULL)
			groups->unified = strdup(group + 1);
		else if (has_word(controllers, group, "cpu") && groups->cpu == NULL)
			groups->cpu = strdup(group + 1);
	}
	free(line);
	fclose(file);
}

/* One line of mountinfo: fields 4, 5 and, after a single hyphen, the type and the options. */
struct mounted {
	char *group, *folder;
	const char *type, *options;
};

/* mountinfo encodes blanks, line ends and backslashes in names as \ and three octal digits. */
static void decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0'; to++) {
		bool is_code = from[0] == '\\' && from[1] >= '0' && from[1] <= '3' &&
			       from[2] >= '0' && from[2] <= '7' && from[3] >= '0' && from[3] <= '7';
		if (is_code)
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0');
		else
			*to = *from;
		from += is_code ? 4 : 1;
	}
	*to = '\0';
}

static bool read_mount(char *line, struct mounted *mount)
{
	char *rest = NULL, *word = strtok_r(line, " \n", &rest);

	*mount = (struct mounted){NULL, NULL, NULL, NULL};
	for (int i = 1; word != NULL && strcmp(word, "-") != 0; i++) {
		if (i == 4)
			mount->group = word;
		if (i == 5)
			mount->folder = word;
		word = strtok_r(NULL, " \n", &rest);
	}
	if (word == NULL || mount->folder == NULL)
		return false;
	mount->type = strtok_r(NULL, " \n", &rest);
	strtok_r(NULL, " \n", &rest); /* skips the source */
	mount->options = strtok_r(NULL, " \n", &rest);
	if (mount->options == NULL)
		return false;
	decode(mount->group);
	decode(mount->folder);
	return true;
}

/*
 * The group's path below the mounted group. "": it is the mounted group, or no group that is
 * visible.
 */
static const char *below_mounted(const char *group, const char *mounted)
{
	size_t length = strlen(mounted);

	while (length > 0 && mounted[length - 1] == '/')
		length--;
	if (strncmp(group, mounted, length) != 0 || (group[length] != '/' && group[length] != '\0'))
		return "";
	/* In a separate name space a process sees a group outside of it as /../other. */
	return strcmp(group + length, "/") == 0 || strstr(group + length, "/..") != NULL
		   ? ""
		   : group + length;
}

/*
 * The first line of a file in a group's folder, in memory from malloc(); NULL if there is no such
 * file.
 */
static char *read_value(const char *root, const char *folder, const char *name)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	FILE *file;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return NULL;
	file = open_below(root, path);
	if (file == NULL && errno == ENOENT)
		return NULL;
	if (file == NULL || getline(&line, &size, file) <= 0) {
		free(line);
		line = strdup("");
	}
	if (file != NULL)
		fclose(file);
	if (line != NULL)
		trim_line(line);
	return line;
}

static void note_problem(struct rt_quota *quota, const char *folder, const char *name,
    const char *text, const char *expected)
{
	if (quota->problem == NULL &&
	    asprintf(&quota->problem, "%s/%s: '%s': expected %s", folder, name, text, expected) < 0)
		quota->problem = NULL;
}

static void take_smaller(
    struct rt_quota *quota, uint64_t time, uint64_t period, const char *folder, const char *name)
{
	char *file;

	/* Below 1e24: exact enough for a comparison of quotas, which have few digits. */
	if (quota->period != 0 &&
	    (double)time * (double)quota->period >= (double)quota->time * (double)period)
		return;
	if (asprintf(&file, "%s/%s", folder, name) < 0)
		file = NULL;
	free(quota->file);
	quota->file = file;
	quota->time = time;
	quota->period = period;
}

static bool scan_positive(const char **text, uint64_t most, uint64_t *value)
{
	return rt_scan_number(text, most, value) && *value > 0;
}

static void read_unified(const char *root, const char *folder, struct rt_quota *quota)
{
	char *text = read_value(root, folder, "cpu.max");
	const char *rest = text;
	uint64_t time = 0, period;

	if (text == NULL)
		return;
	bool is_max = rt_scan_word(&rest, "max");
	if (!(is_max || scan_positive(&rest, MOST_TIME, &time)) ||
	    !scan_positive(&rest, MOST_PERIOD, &period) || !rt_scan_end(&rest))
		note_problem(quota, folder, "cpu.max", text,
		    "microseconds or max, and the microseconds of a period");
	else if (!is_max)
		take_smaller(quota, time, period, folder, "cpu.max");
	free(text);
}

static void read_cpu(const char *root, const char *folder, struct rt_quota *quota)
{
	char *time_text = read_value(root, folder, "cpu.cfs_quota_us");
	char *period_text = read_value(root, folder, "cpu.cfs_period_us");
	const char *rest = time_text, *period_rest = period_text;
	uint64_t time, period;

	if (time_text == NULL || period_text == NULL || strcmp(time_text, "-1") == 0)
		;
	else if (!scan_positive(&rest, MOST_TIME, &time) || !rt_scan_end(&rest))
		note_problem(quota, folder, "cpu.cfs_quota_us", time_text, "microseconds or -1");
	else if (!scan_positive(&period_rest, MOST_PERIOD, &period) || !rt_scan_end(&period_rest))
		note_problem(quota, folder, "cpu.cfs_period_us", period_text, "microseconds");
	else
		take_smaller(quota, time, period, folder, "cpu.cfs_quota_us");
	free(time_text);
	free(period_text);
}

/* Reads the folder of the own group and those above it, up to the mounted one. */
static void read_folders(
    const char *root, const struct mounted *mount, const char *group, struct rt_quota *quota)
{
	bool is_unified = strcmp(mount->type, "cgroup2") == 0;
	size_t top = strlen(mount->folder);
	char *folder;

	if (asprintf(&folder, "%s%s", mount->folder, below_mounted(group, mount->group)) < 0)
		return;
	for (;;) {
		char *slash = strrchr(folder, '/');
		if (is_unified)
			read_unified(root, folder, quota);
		else
			read_cpu(root, folder, quota);
		if (slash == NULL || (size_t)(slash - folder) < top)
			break;
		*slash = '\0';
	}
	free(folder);
}

void rt_quota_read(const char *root, struct rt_quota *quota)
{
	struct groups groups = {NULL, NULL};
	struct mounted mount;
	char *line = NULL;
	size_t size = 0;
	FILE *file;

	*quota = (struct rt_quota){0, 0, NULL, NULL};
	read_groups(root, &groups);
	file = groups.cpu != NULL || groups.unified != NULL
		   ? open_below(root, "/proc/self/mountinfo")
		   : NULL;
	while (file != NULL && getline(&line, &size, file) > 0) {
		if (strstr(line, " - cgroup") == NULL || !read_mount(line, &mount))
			continue;
		if (groups.unified != NULL && strcmp(mount.type, "cgroup2") == 0)
			read_folders(root, &mount, groups.unified, quota);
		else if (groups.cpu != NULL && strcmp(mount.type, "cgroup") == 0 &&
			 has_word(mount.options, strchr(mount.options, '\0'), "cpu"))
			read_folders(root, &mount, groups.cpu, quota);
	}
	free(line);
	if (file != NULL)
		fclose(file);
	free(groups.cpu);
	free(groups.unified);
}

void rt_quota_finish(struct rt_quota *quota)
{
	free(quota->file);
	free(quota->problem);
	*quota = (struct rt_quota){0, 0, NULL, NULL};
}

static uint32_t at_most(uint64_t count)
{
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

uint32_t rt_quota_processors(const struct rt_quota *quota)
{
	return quota->period == 0 ? UINT32_MAX
				  : at_most((quota->time + quota->period - 1) / quota->period);
}

uint32_t rt_quota_whole_processors(const struct rt_quota *quota)
{
	return quota->period == 0 ? UINT32_MAX : at_most(quota->time / quota->period);
}
