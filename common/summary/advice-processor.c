/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice about time in which threads had work and did not do it: without a processor, blocked in
 * system calls, or in the kernel. These figures are the kernel's, so the rules say what it counted,
 * and a cause only where a second figure of its own shows it.
 */
#include <inttypes.h>

#include "advice.h"
#include "common/blocked-rows.h"

/* Below this share of the processor time, the kernel's part is what programs usually have. */
#define KERNEL_MATTERS 0.1

/* The part of a time that explains it. */
#define MOSTLY 0.5

/* What is left of the capacity for the rest. */
#define MOST_DELAYED 0.95

/* The first thread's time counts for all of its team, since the others have nothing to do. */
static uint64_t with_idle_team(const struct advice_view *view, uint64_t serial)
{
	uint64_t processes = view->summary->processes ? view->summary->processes : 1;
	uint64_t team = view->summary->threads / processes;

	return serial == SUMMARY_NOT_MEASURED ? 0 : serial * (team > 0 ? team : 1);
}

/* What threads lack a processor for, or wait for threads that do; with_idle_team() for the serial
 * part. */
static uint64_t delayed_time(const struct advice_view *view)
{
	const struct summary *summary = view->summary;

	return advice_known(summary->delayed) + with_idle_team(view, summary->serial_delayed) +
	       view->behind.delayed + advice_known(summary->late_delayed);
}

double advice_delayed_share(const struct advice_view *view)
{
	double share = summary_share(delayed_time(view), view->figures->capacity);

	/* The parts are estimated one by one: together they may exceed the whole. */
	return share < MOST_DELAYED ? share : MOST_DELAYED;
}

/* On how many processors the threads can run; 0: unknown. */
static uint64_t usable(const struct summary *summary)
{
	return summary->bound > 0 ? summary->bound : summary->processors;
}

/*
 * Writes what leaves so few processors to the threads, with a blank before; "" if nothing does. A
 * runtime may have bound the initial thread before anything could read the process's affinity.
 */
static void write_binding(char text[SUMMARY_ADVICE_SIZE], const struct summary *summary)
{
	uint64_t left = usable(summary);

	text[0] = '\0';
	if (summary->processors > 0 && left < summary->processors)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    " The threads' own places (OMP_PLACES, OMP_PROC_BIND, or "
		    "sched_setaffinity() by the program) leave %" PRIu64
		    " of the process's %" PRIu64 " processors.",
		    left, summary->processors);
	else if (summary->online > left)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    " The process's affinity (taskset, OMP_PLACES, a batch system, a container) leaves "
		    "%" PRIu64 " of the machine's %" PRIu64 " processors.",
		    left, summary->online);
}

/* Whether the time that was lost is explained by a quota that stopped the process. */
static bool quota_explains(const struct summary *summary, uint64_t lost)
{
	uint64_t throttled = advice_known(summary->throttled);

	return summary->quota > 0 && throttled > 0 && (double)throttled >= MOSTLY * (double)lost;
}

/* Writes that a quota stopped the process, if that explains the time that was lost. */
static bool write_quota(
    const struct summary *summary, uint64_t lost, char *text, const char *time, const char *share)
{
	char throttled[SUMMARY_FIGURE_SIZE];

	if (!quota_explains(summary, lost))
		return false;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "A quota of %" PRIu64 ".%02" PRIu64
	    " processors stopped the process's control group for %s: threads with work waited %s "
	    "for a processor (%s of the thread time). %s",
	    summary->quota / 1000, summary->quota / 10 % 100,
	    summary_format_time(throttled, summary->throttled), time, share,
	    summary->quota < summary->threads * 1000
		? "Give it more (docker --cpus, CPUQuota=), or use fewer threads."
		: "Other processes of the group use it, too.");
	return true;
}

bool advice_lacks_processors(const struct summary *summary)
{
	uint64_t own = advice_known(summary_add(summary->delayed, summary->serial_delayed));
	uint64_t processors = usable(summary);

	return (processors > 0 && summary->threads > processors) || quota_explains(summary, own);
}

/* Returns the call with the most time, by threads in no team or by those in teams; NULL: none. */
static const struct summary_blocked *longest_call(const struct summary *summary, bool is_serial)
{
	for (size_t i = 0; i < summary->blocked_call_count; i++) {
		const struct summary_blocked *row = &summary->blocked_calls[i];

		bool has_place = row->file || row->function;

		if (row->call && has_place && (row->is_serial != 0) == is_serial)
			return row;
	}
	return NULL;
}

enum { PLACE_SIZE = 220, CAUSE_SIZE = 80 };

/* Writes file, line, function and wrapper, or what is known of them. */
static void write_place(char place[PLACE_SIZE], const struct summary_blocked *row)
{
	const char *file = row->file ? summary_base_name(row->file) : "unknown place";
	int length = row->line > 0 ? snprintf(place, PLACE_SIZE, "%.80s:%d", file, row->line)
				   : snprintf(place, PLACE_SIZE, "%.80s", file);

	char by[BLOCKED_WRAPPER_SIZE];

	if (row->function)
		snprintf(place + length, (size_t)(PLACE_SIZE - length), " (%.50s%s)", row->function,
		    blocked_wrapper_text(by, ", by ", &row->by, ""));
}

/*
 * Writes that threads waited while processors were idle, if that explains all of it: the kernel let
 * threads share one. That is known only if the process may use all of the machine's.
 */
static bool write_shared(
    const struct summary *summary, uint64_t lost, char *text, const char *time, const char *share)
{
	const struct summary_blocked *row = longest_call(summary, false);
	char idle[SUMMARY_FIGURE_SIZE], place[PLACE_SIZE], name[BLOCKED_NAME_SIZE], wakes[400] = "";

	if (summary->online == 0 || usable(summary) < summary->online ||
	    summary->idle == SUMMARY_NOT_MEASURED || summary->idle < lost)
		return false;
	if (row && row->what && strcmp(row->what, "sleep") != 0) {
		write_place(place, row);
		blocked_name(name, row);
		snprintf(wakes, sizeof(wakes),
		    " A thread that is woken often gets the processor of the one that woke it: "
		    "threads wait for %.60s at %s.",
		    name, place);
	}
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "Threads with work waited %s for a processor (%s of the thread time), while the "
	    "machine's were idle for %s: the kernel let threads share one.%s Try "
	    "OMP_PROC_BIND=true.",
	    time, share, summary_format_time(idle, summary->idle), wakes);
	return true;
}

double advise_delayed(const struct advice_view *view, char *text)
{
	const struct summary *summary = view->summary;
	uint64_t own = view->figures->categories[SUMMARY_DELAYED], lost = delayed_time(view);
	double loss = summary_share(lost, view->figures->capacity);
	uint64_t processors = usable(summary);
	char time[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE], stolen[SUMMARY_FIGURE_SIZE];
	char binding[SUMMARY_ADVICE_SIZE], machine[128] = "", waits[64] = "";

	if (loss <= 0 || own == SUMMARY_NOT_MEASURED)
		return 0;
	summary_format_time(time, own);
	summary_format_share(share, summary_share(own, view->figures->capacity));
	write_binding(binding, summary);
	if (write_quota(summary, own, text, time, share))
		return loss;
	if (processors > 0 && summary->threads > processors) {
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "%" PRIu64 " threads on %" PRIu64
		    " processor%s: threads with work waited %s for "
		    "one (%s of the thread time), and others for them.%s OMP_NUM_THREADS=%" PRIu64
		    " starts as many as can run.",
		    summary->threads, processors, processors == 1 ? "" : "s", time, share, binding,
		    processors);
		return loss;
	}
	if (own > 0 && write_shared(summary, lost, text, time, share))
		return loss;
	if (summary->is_part && summary->online > 0) {
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "Threads with work waited %s for a processor (%s of the thread time). Whether "
		    "other programs had it, or the kernel let threads share one while others were "
		    "idle, is known of whole runs only.",
		    time, share);
		return loss;
	}
	if (summary->quota > 0 && advice_known(summary->throttled) > own / 10)
		snprintf(machine, sizeof(machine),
		    " Its control group's quota of %" PRIu64 ".%02" PRIu64
		    " processors stopped it for %s.",
		    summary->quota / 1000, summary->quota / 10 % 100,
		    summary_format_time(stolen, summary->throttled));
	else if (advice_known(summary->stolen) > own / 10)
		snprintf(machine, sizeof(machine),
		    " This virtual machine had no real processor for %s, all its programs together.",
		    summary_format_time(stolen, summary->stolen));
	if (advice_known(summary->wait_delayed) > own / 10)
		snprintf(waits, sizeof(waits), " In OpenMP's waits threads had none for %s.",
		    summary_format_time(stolen, summary->wait_delayed));
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "The machine was busy: threads with work waited %s (%s of the thread time) for a "
	    "processor, which others had; figures of balance are unsure.%s%s Repeat the run when "
	    "nothing else runs.",
	    time, share, waits, machine);
	return loss;
}

/* Returns the region with the most of a figure, if it has at least half of all; else NULL. */
static const struct summary_region *most_of(
    const struct summary *summary, size_t figure, uint64_t all)
{
	const struct summary_region *most = NULL;
	uint64_t value = 0;

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];
		uint64_t its = advice_known(*(const uint64_t *)((const char *)region + figure));

		if (its > value && its >= all / 2) {
			most = region;
			value = its;
		}
	}
	return most;
}

/* Writes that the call keeps somebody: "read(2) blocks threads", "threads sleep". */
static void write_cause(
    char cause[CAUSE_SIZE], const struct summary_blocked *row, const char *who, bool is_one)
{
	char name[BLOCKED_NAME_SIZE];

	blocked_name(name, row);
	if (row->what && strcmp(row->what, "sleep") == 0)
		snprintf(cause, CAUSE_SIZE, "%s sleep%s", who, is_one ? "s" : "");
	else if (row->what)
		snprintf(cause, CAUSE_SIZE, "%s wait%s for %s", who, is_one ? "s" : "", name);
	else
		snprintf(cause, CAUSE_SIZE, "%s blocks %s", name, who);
}

static double blocked_outside(const struct advice_view *view, char *text)
{
	const struct summary *summary = view->summary;
	uint64_t blocked = summary->serial_blocked;
	uint64_t processes = summary->processes ? summary->processes : 1;
	double loss = summary_share(with_idle_team(view, blocked), view->figures->capacity);
	const struct summary_blocked *row = longest_call(summary, true);
	char time[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE], all[SUMMARY_FIGURE_SIZE];
	char place[PLACE_SIZE], cause[CAUSE_SIZE], rest[80] = "", idle[60] = "";

	if (!row || processes > 1) {
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "Outside parallel regions the first thread%s neither runs nor waits for a "
		    "processor for %s (%s of the wall time), while the others idle: it is blocked in "
		    "system calls that were not seen, or something stops the process or the "
		    "machine.",
		    processes > 1 ? " of each process" : "",
		    summary_format_time(time, blocked / processes),
		    summary_format_share(share, summary_share(blocked / processes, summary->wall)));
		return loss;
	}
	uint64_t its = row->time < blocked ? row->time : blocked;
	write_place(place, row);
	write_cause(cause, row, "the first thread", true);
	if (its < blocked - blocked / 10)
		snprintf(rest, sizeof(rest), " In all it is blocked for %s there.",
		    summary_format_time(all, blocked));
	if (summary->threads > 1)
		snprintf(idle, sizeof(idle), ", while %" PRIu64 " other%s idle%s",
		    summary->threads - 1, summary->threads == 2 ? "" : "s",
		    summary->threads == 2 ? "s" : "");
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%s: %s for %s (%s of the wall time), outside parallel regions%s.%s", place, cause,
	    summary_format_time(time, its),
	    summary_format_share(share, summary_share(its, summary->wall)), idle, rest);
	return loss;
}

/* The same for threads in teams, whose longest call was seen. */
static void write_blocked_call(
    const struct advice_view *view, const struct summary_blocked *row, uint64_t blocked, char *text)
{
	char place[PLACE_SIZE], cause[CAUSE_SIZE], construct[128] = "", rest[80] = "",
						   others[80] = "";
	char time[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE], all[SUMMARY_FIGURE_SIZE];

	write_place(place, row);
	write_cause(cause, row, "threads", false);
	if (row->construct && row->construct_line > 0)
		snprintf(construct, sizeof(construct), " in %.80s:%d %.30s",
		    summary_base_name(row->construct_file), row->construct_line, row->construct);
	if (row->time < blocked - blocked / 10)
		snprintf(rest, sizeof(rest), " In all they are blocked for %s.",
		    summary_format_time(all, blocked));
	if (view->behind.blocked >= blocked / 10)
		snprintf(others, sizeof(others), " Others wait %s for them.",
		    summary_format_time(all, view->behind.blocked));
	snprintf(text, SUMMARY_ADVICE_SIZE, "%s: %s for %s (%s of the thread time)%s.%s%s", place,
	    cause, summary_format_time(time, row->time),
	    summary_format_share(share, summary_share(row->time, view->figures->chosen)), construct,
	    rest, others);
}

double advise_blocked(const struct advice_view *view, char *text)
{
	const struct summary *summary = view->summary;
	uint64_t blocked = advice_known(summary->blocked);
	const struct summary_region *region =
	    most_of(summary, offsetof(struct summary_region, blocked), blocked);
	const struct summary_blocked *row = longest_call(summary, false);
	double loss = summary_share(blocked + view->behind.blocked, view->figures->chosen);
	char place[128] = "Parallel regions", time[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];
	char waits[SUMMARY_FIGURE_SIZE], others[80] = "";

	if (with_idle_team(view, summary->serial_blocked) > blocked + view->behind.blocked)
		return blocked_outside(view, text);
	if (blocked == 0)
		return 0;
	if (row) {
		write_blocked_call(view, row, blocked, text);
		return loss;
	}
	if (region)
		summary_format_region(place, sizeof(place), region);
	if (view->behind.blocked >= blocked / 10)
		snprintf(others, sizeof(others), ", and others wait %s for them",
		    summary_format_time(waits, view->behind.blocked));
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%s: threads neither run nor wait for a processor there for %s (%s of the thread "
	    "time)%s: they are blocked in system calls that were not seen, or something stops the "
	    "process or the machine.",
	    place, summary_format_time(time, blocked),
	    summary_format_share(share, summary_share(blocked, view->figures->chosen)), others);
	return loss;
}

/* Returns the samples in functions of the C library by which threads wait and wake each other. */
static uint64_t samples_in_locks(const struct summary *summary)
{
	/* Without underscores before, and whatever follows. */
	static const char *const names[] = {"lll_lock_", "GI___lll_lock_", "futex_",
	    "pthread_mutex_", "GI___pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "sem_",
	    "new_sem_"};
	uint64_t samples = 0;

	for (size_t i = 0; i < summary->hot_count; i++) {
		const char *function = summary->hot[i].function;
		const char *name = function ? function + strspn(function, "_") : "";

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (strncmp(name, names[k], strlen(names[k])) == 0) {
				samples += summary->hot[i].samples;
				break;
			}
	}
	return samples;
}

/*
 * Writes that the kernel's work is for threads that wake each other, if samples show that it is
 * most of it, and where threads were seen to wait.
 */
static bool write_waking(
    const struct summary *summary, double part, const char *share, const char *most, char *text)
{
	const struct summary_blocked *row = longest_call(summary, false);
	double locks = summary_share(samples_in_locks(summary), summary->samples);
	char place[PLACE_SIZE], cause[CAUSE_SIZE], taken[SUMMARY_FIGURE_SIZE];

	if (!row || !row->what || strcmp(row->what, "sleep") == 0 || locks < MOSTLY * part)
		return false;
	write_place(place, row);
	write_cause(cause, row, "threads", false);
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "Waiting for each other and waking takes threads %s of the processor time: %s at %s. "
	    "The kernel works for %s of that time%s. Hand over more at a time, or lock less often.",
	    summary_format_share(taken, locks), cause, place, share, most);
	return true;
}

double advise_kernel(const struct advice_view *view, char *text)
{
	const struct summary *summary = view->summary;
	uint64_t system = advice_known(summary->system),
		 ran = advice_known(summary->processor_time);
	double part = summary_share(system, ran);
	char place[128], time[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];
	char faults[SUMMARY_FIGURE_SIZE], most[160] = "";
	const struct summary_region *region =
	    most_of(summary, offsetof(struct summary_region, system), system);

	if (ran == 0 || part < KERNEL_MATTERS)
		return 0;
	if (region) {
		summary_format_region(place, sizeof(place), region);
		snprintf(most, sizeof(most), ", most of it in %s", place);
	}
	summary_format_share(share, part);
	summary_format_time(time, system);
	if (!advice_write_faults(summary, time, share, most, text) &&
	    !write_waking(summary, part, share, most, text))
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "The kernel works for %s (%s of the processor time)%s, in system calls and %s "
		    "page faults.",
		    time, share, most, summary_format_count(faults, summary->faults));
	return summary_share(system, view->figures->capacity);
}
