/* SPDX-License-Identifier: BSD-3-Clause */
/* Escapes text from the archive for HTML, and names what the page shows. */
#include <limits.h>
#include <stdbool.h>

#include "common/html-text.h"
#include "page.h"

const struct page_activity page_activities[ACTIVITIES] = {
    [ACTIVITY_NONE] = {"none", "idle", "in no team, and not the thread of the serial part"},
    [ACTIVITY_SERIAL] = {"serial", "serial part", "outside of parallel regions"},
    [ACTIVITY_WORK] = {"work", "useful work", "in parallel regions, outside of waits and tasks"},
    [ACTIVITY_TASK] = {"task", "tasks", "executing explicit tasks, outside of waits"},
    [ACTIVITY_BARRIER] = {"barrier", "barrier wait", "for other threads at a barrier", true},
    [ACTIVITY_LOCK] = {"lock", "critical, lock", "for a critical, an ordered or a lock", true},
    [ACTIVITY_TASK_WAIT] = {"task-wait", "task wait", "for tasks to complete", true},
    [ACTIVITY_TEAM] = {"team", "team start, end",
	"from the fork to the begin, from the end to the join"},
    [ACTIVITY_MPI] = {"mpi", "MPI", "in functions of MPI"},
    [ACTIVITY_DELAYED] = {"delayed", "waiting for a processor",
	"ready to work, while other threads or programs had the processors", true},
    [ACTIVITY_BLOCKED] = {"blocked", "blocked in system calls",
	"it read, wrote, slept, or waited for a lock that is not OpenMP's", true},
};

const enum activity page_lane_order[PAGE_LANE_ACTIVITIES] = {ACTIVITY_SERIAL, ACTIVITY_WORK,
    ACTIVITY_TASK, ACTIVITY_MPI, ACTIVITY_TEAM, ACTIVITY_DELAYED, ACTIVITY_BLOCKED,
    ACTIVITY_TASK_WAIT, ACTIVITY_LOCK, ACTIVITY_BARRIER};

bool page_has_teams(const struct page *page)
{
	return page->analysis->has_teams || page->analysis->has_forks;
}

const char *page_activity_title(const struct page *page, enum activity activity)
{
	if (activity == ACTIVITY_SERIAL && !page_has_teams(page))
		return "computation";
	return page_activities[activity].title;
}

bool page_shows(const struct page *page, enum activity activity)
{
	for (size_t i = 0; i < page->analysis->archive->thread_count; i++)
		if (page->analysis->threads[i].activities[activity] > 0)
			return true;
	return false;
}

void page_write_name(const struct page *page, const char *text)
{
	html_put_text(page->out, text, PAGE_NAME_MAX, false);
}

void page_write_sentence(const struct page *page, const char *text)
{
	html_put_text(page->out, text, INT_MAX, false);
}

void page_write_code(const struct page *page, const char *text)
{
	html_put_text(page->out, text, PAGE_NAME_MAX, true);
}
