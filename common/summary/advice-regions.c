/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice about waits at constructs and locks: first what the figures show about the cause, then
 * what can be done about it. If they show no cause, none is claimed.
 */
#include <stdbool.h>
#include <string.h>

#include "advice.h"

/*
 * ns: a barrier that takes less than this, per execution and thread, is as quick as barriers are on
 * busy machines.
 */
#define BARRIER_COST 10000
/* The same for entering an ordered, entering a critical, or setting a free lock. */
#define ENTRY_COST 2000
/* ns: the same of one that is free. */
#define FREE_COST 200

enum cause {
	CAUSE_UNEVEN,  /* the threads had unequal work in it */
	CAUSE_PAID,    /* the same for a construct without a barrier: another barrier pays for it */
	CAUSE_BESIDE,  /* one thread executed it, while tasks may have been executed */
	CAUSE_LATE,    /* they had equal work, but some came late */
	CAUSE_ARRIVAL, /* some came late; what they did before does not belong to this construct */
	CAUSE_IN_MPI,  /* others were in MPI for that long */
	CAUSE_COST,    /* each time is short, but there are many */
	CAUSE_TASKS,   /* other threads still execute its tasks */
	CAUSE_QUEUE,   /* others held it when threads came */
	CAUSE_FREE,    /* nearly always free */
	CAUSE_TURN,    /* earlier iterations had not left it */
	CAUSE_UNKNOWN,
};

/* The names in the column ADVISED of the list of constructs. */
enum remedy_key {
	REMEDY_GENERAL,
	REMEDY_TEAM,
	REMEDY_ITERATIONS,
	REMEDY_SECTIONS,
	REMEDY_ONE_THREAD,
	REMEDY_MUTEX,
	REMEDY_BARRIER,
};

enum wait_for {
	WAIT_FOR_NOTHING,
	WAIT_FOR_TEAM,
	WAIT_FOR_HOLDER,
	WAIT_FOR_TURN,
	WAIT_FOR_TASKS,
};

/* There is no advice for regions that are not constructs. */
static const struct advised {
	enum remedy_key remedy;
	enum wait_for waits;
} advised_of[CONSTRUCT_OTHER + 1] = {
#define MEASURED(kind, waits) WAIT_FOR_##waits
#define ADVISED(remedy)       REMEDY_##remedy
#define CONSTRUCT(id, name, written, called, measured, traced, advised, about)                     \
	[CONSTRUCT_##id] = {advised, measured},
    CONSTRUCTS(CONSTRUCT)
#undef CONSTRUCT
#undef ADVISED
#undef MEASURED
};

/*
 * No event shows how a thread's time is spread over its iterations, and no schedule can divide a
 * single long one.
 */
#define UNEVEN_ITERATIONS                                                                          \
	"its threads take unequal time: if many iterations make the difference, and neither "      \
	"their order nor their placement matters, try schedule(dynamic) or schedule(guided)"

#define UNEVEN_SECTIONS                                                                            \
	"its threads take unequal time: where sections are longer than others or fewer than the "  \
	"threads, split the long ones"

/* What can be done; the general row is for all constructs without one of their own. */
static const struct remedy {
	enum cause cause;
	enum remedy_key key;
	const char *text;
} remedies[] = {
    {CAUSE_UNEVEN, REMEDY_ITERATIONS, UNEVEN_ITERATIONS},
    {CAUSE_UNEVEN, REMEDY_SECTIONS, UNEVEN_SECTIONS},
    {CAUSE_UNEVEN, REMEDY_ONE_THREAD,
	"one thread works while the others wait: make its work parallel, or add nowait if nothing "
	"before the next barrier needs it"},
    {CAUSE_UNEVEN, REMEDY_GENERAL, "its threads take unequal time: share its work out more evenly"},
    {CAUSE_PAID, REMEDY_ITERATIONS, UNEVEN_ITERATIONS},
    {CAUSE_PAID, REMEDY_SECTIONS, UNEVEN_SECTIONS},
    {CAUSE_PAID, REMEDY_ONE_THREAD,
	"one thread works, and the others wait for it at a later barrier: make its work parallel"},
    {CAUSE_PAID, REMEDY_GENERAL, "its threads take unequal time: share its work out more evenly"},
    {CAUSE_BESIDE, REMEDY_GENERAL,
	"one thread executes it, and tasks are executed in the same parallel region; `ompreport "
	"imbalance` on a trace shows what the last thread does"},
    {CAUSE_LATE, REMEDY_GENERAL,
	"its threads take equal time: the wait comes from those that began it late or waited in "
	"it, or from leaving its barrier"},
    {CAUSE_ARRIVAL, REMEDY_GENERAL,
	"threads arrive unevenly: balance the work before it; `ompreport imbalance` on a trace "
	"shows who comes last, and what from"},
    {CAUSE_IN_MPI, REMEDY_GENERAL, "others of their teams are in MPI meanwhile"},
    {CAUSE_COST, REMEDY_BARRIER,
	"each time is short, but there are many: leave out those that nothing depends on"},
    {CAUSE_COST, REMEDY_TEAM,
	"each time is short, but there are many: put several regions into one"},
    {CAUSE_COST, REMEDY_MUTEX,
	"each time is short, but there are many: enter it less often, or use a reduction or atomic"},
    {CAUSE_COST, REMEDY_GENERAL,
	"each time is short, but there are many: execute it less often, with more work each time"},
    {CAUSE_TASKS, REMEDY_GENERAL,
	"threads wait for tasks that have not ended: split the longest tasks, or create them "
	"earlier"},
    {CAUSE_QUEUE, REMEDY_GENERAL,
	"threads queue for it: make it shorter, or use a reduction or atomic"},
    {CAUSE_FREE, REMEDY_GENERAL,
	"it was nearly always free when threads came: enter it less often, or use a reduction or "
	"atomic"},
    {CAUSE_TURN, REMEDY_GENERAL,
	"iterations wait for their turn: move work out of the ordered part"},
    {CAUSE_UNKNOWN, REMEDY_GENERAL, "look at what the threads wait for there"},
};

static const char *remedy_for(enum cause cause, enum construct_id construct)
{
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
		if (remedies[i].cause == cause &&
		    (remedies[i].key == REMEDY_GENERAL ||
			remedies[i].key == advised_of[construct].remedy))
			return remedies[i].text;
	}
	return "look at what the threads wait for there";
}

static enum wait_for waits_of(const struct summary_region *region)
{
	return advised_of[advice_construct(region)].waits;
}

static uint64_t each(uint64_t sum, uint64_t count)
{
	return sum == SUMMARY_NOT_MEASURED || count == 0 ? 0 : sum / count;
}

/*
 * Threads queued if they found the lock held in one acquisition out of ten, or if the average wait
 * was long.
 */
static enum cause cause_at_lock(uint64_t acquisitions, uint64_t contended, uint64_t wait)
{
	if (contended == SUMMARY_NOT_MEASURED || acquisitions == 0)
		return CAUSE_UNKNOWN;
	if (contended == 0)
		return CAUSE_FREE;
	/* Few may wait long, because the holder takes it again before they can. */
	bool waits = wait != SUMMARY_NOT_MEASURED && wait / 2 > acquisitions * FREE_COST;
	return waits || contended >= acquisitions / 10 || each(wait, acquisitions) >= ENTRY_COST
		   ? CAUSE_QUEUE
		   : CAUSE_FREE;
}

/* Returns whether it is the lock of a critical, whose region has its own advice. */
static bool is_critical(const struct summary_lock *lock)
{
	const char *critical = construct_name(CONSTRUCT_CRITICAL);

	return lock->name && strncmp(lock->name, critical, strlen(critical)) == 0;
}

/* Criticals with the same name share a lock, whose name is "critical(NAME) file:line". */
static bool is_lock_of(const struct summary_lock *lock, const struct summary_region *region)
{
	const char *name = lock->name, *sub_name = region->sub_name ? region->sub_name : "";
	size_t length = strlen(sub_name);

	if (!is_critical(lock))
		return false;
	name += strlen(construct_name(CONSTRUCT_CRITICAL));
	if (length == 0)
		return name[0] == '\0' || name[0] == ' ';
	return name[0] == '(' && strncmp(name + 1, sub_name, length) == 0 &&
	       name[1 + length] == ')';
}

static enum cause cause_at_critical(
    const struct summary *summary, const struct summary_region *region)
{
	uint64_t acquisitions = 0, contended = 0, wait = 0;

	for (size_t i = 0; i < summary->lock_count; i++) {
		const struct summary_lock *lock = &summary->locks[i];

		if (!is_lock_of(lock, region))
			continue;
		acquisitions = summary_add(acquisitions, lock->acquisitions);
		contended = summary_add(contended, lock->contended);
		wait = summary_add(wait, lock->wait);
	}
	return cause_at_lock(acquisitions, contended, wait);
}

/* Whether one region's lines are within the other's. */
static bool is_inside(const struct summary_region *inner, const struct summary_region *outer)
{
	return inner == outer ||
	       (inner->begin_line > 0 && inner->file && outer->file &&
		   outer->begin_line <= inner->begin_line && inner->end_line <= outer->end_line &&
		   strcmp(inner->file, outer->file) == 0);
}

static uint64_t subtract(uint64_t from, uint64_t part)
{
	if (part == SUMMARY_NOT_MEASURED)
		return from;
	return part < from ? from - part : 0;
}

static bool is_barrier(const struct summary_region *region)
{
	return construct_kind(advice_construct(region)) == CONSTRUCT_KIND_BARRIER;
}

/* What the kernel counted in a construct and in those inside of it. */
static struct advice_absence absence_in(
    const struct summary *summary, const struct summary_region *region)
{
	struct advice_absence absence = {0, 0};

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *inner = &summary->regions[i];

		uint64_t delayed = advice_known(inner->delayed),
			 blocked = advice_known(inner->blocked);

		/* Most of them have none; comparing places takes longer. */
		if (delayed + blocked == 0 || !is_inside(inner, region))
			continue;
		absence.delayed += delayed;
		absence.blocked += blocked;
	}
	return absence;
}

/*
 * What the kernel counted before a barrier that is no construct's end: in its parallel region and
 * in the constructs in it at whose end nobody waits, by which this barrier's wait is part of all
 * such waits. (A runtime may report the barrier of a loop apart from the loop.)
 */
static struct advice_absence absence_before(
    const struct summary *summary, const struct summary_region *barrier)
{
	const struct summary_region *parallel =
	    advice_parallel_of(summary, barrier->file, barrier->begin_line);
	struct advice_absence absence = {0, 0};
	double all = 0;

	for (size_t i = 0; parallel && i < summary->region_count; i++) {
		const struct summary_region *other = &summary->regions[i];

		if (other != parallel &&
		    advice_parallel_of(summary, other->file, other->begin_line) != parallel)
			continue;
		if (is_barrier(other))
			all += (double)advice_known(other->barrier_wait);
		if (other == parallel || other->barrier_wait == SUMMARY_NOT_MEASURED) {
			absence.delayed += advice_known(other->delayed);
			absence.blocked += advice_known(other->blocked);
		}
	}
	double part = all > 0 ? (double)advice_known(barrier->barrier_wait) / all : 0;
	return (struct advice_absence){
	    (uint64_t)((double)absence.delayed * part), (uint64_t)((double)absence.blocked * part)};
}

/* Divides a time as the two parts of the absence are to each other. */
static struct advice_absence divide(struct advice_absence absence, uint64_t time)
{
	double sum = (double)absence.delayed + (double)absence.blocked;
	uint64_t delayed = sum > 0 ? (uint64_t)((double)absence.delayed / sum * (double)time) : 0;

	return (struct advice_absence){delayed, sum > 0 ? time - delayed : 0};
}

/* Returns how long tasks ran that are created in the construct. */
static uint64_t ran_in_tasks(const struct summary *summary, const struct summary_region *region)
{
	uint64_t ran = 0;

	for (size_t i = 0; summary->task_count > 0 && i < summary->region_count; i++) {
		const struct summary_region *inner = &summary->regions[i];

		if (is_inside(inner, region) &&
		    construct_kind(advice_construct(inner)) == CONSTRUCT_KIND_TASK)
			ran += inner->self;
	}
	return ran;
}

/*
 * The part of the time in which idle threads had no processor when a team needed them, by which
 * this construct's wait is part of all: they begin late, and the others wait for them at its end.
 */
static uint64_t late_for(const struct summary *summary, const struct summary_region *region)
{
	double all = 0;

	if (advice_known(summary->late_delayed) == 0)
		return 0;
	for (size_t i = 0; i < summary->region_count; i++)
		if (summary->regions[i].barrier_wait != SUMMARY_NOT_MEASURED)
			all += (double)summary->regions[i].barrier_wait;
	return all > 0 ? (uint64_t)((double)summary->late_delayed *
				    ((double)region->barrier_wait / all))
		       : 0;
}

/*
 * The imbalance that is due to the program. Where threads take iterations as they come, one that
 * has no processor leaves its part to the others, another one each time. So what is not in the sums
 * over the run counts only by the share of the wait in which waiting threads had a processor.
 */
static uint64_t sure_imbalance(const struct summary *summary, const struct summary_region *region)
{
	uint64_t wait = region->barrier_wait, imbalance = advice_known(region->imbalance);
	uint64_t delayed = advice_known(region->wait_delayed), sums, lasting;

	if (wait == SUMMARY_NOT_MEASURED || wait == 0 || advice_has_tasks(summary, region) ||
	    region->body_max == SUMMARY_NOT_MEASURED || region->body_sum == SUMMARY_NOT_MEASURED)
		return imbalance;
	sums = subtract(region->body_max * region->threads, region->body_sum);
	lasting = sums < imbalance ? sums : imbalance;
	return lasting + (uint64_t)((double)(imbalance - lasting) *
				    ((double)subtract(wait, delayed) / (double)wait));
}

/*
 * The part of the wait at a construct's end that threads explain which did not run. Unequal work,
 * which is what ran, is not explained so. What a thread did not run in the construct, each of the
 * others in the team waits for. A thread that had no processor in its wait went on so much later at
 * most, and each of the others then waited for it at the next end, which in a loop is about as
 * often this one. For tasks it is not known how unequally they ran: they and the absence explain
 * the wait in proportion.
 */
static struct advice_absence behind_at_end(
    const struct summary *summary, const struct summary_region *region)
{
	struct advice_absence absence =
	    is_barrier(region) ? absence_before(summary, region) : absence_in(summary, region);
	uint64_t others = region->threads > 1 ? region->threads - 1 : 1;

	if (region->barrier_wait == SUMMARY_NOT_MEASURED)
		return (struct advice_absence){0, 0};
	uint64_t tasks = ran_in_tasks(summary, region), waiting = 0;
	/* Threads that wait for tasks look for more of them, so that many wait for a processor. */
	if (!advice_has_tasks(summary, region))
		waiting = advice_known(region->wait_delayed);
	absence.delayed += late_for(summary, region) + waiting;
	uint64_t away = absence.delayed + absence.blocked, most = away * others + waiting;
	if (away == 0)
		return absence;
	uint64_t rest = subtract(region->barrier_wait, sure_imbalance(summary, region));
	rest = (uint64_t)((double)rest * ((double)away / ((double)away + (double)tasks)));
	return divide(absence, rest < most ? rest : most);
}

/*
 * The same at its entry: the holder's work and absence are what threads wait for, each as long as
 * it takes.
 */
static struct advice_absence behind_at_entry(
    const struct summary *summary, const struct summary_region *region)
{
	struct advice_absence absence = absence_in(summary, region);
	double sum = (double)absence.delayed + (double)absence.blocked;

	if (region->enter_wait == SUMMARY_NOT_MEASURED ||
	    region->body_sum == SUMMARY_NOT_MEASURED || sum <= 0)
		return (struct advice_absence){0, 0};
	return divide(absence,
	    (uint64_t)((double)region->enter_wait * (sum / (sum + (double)region->body_sum))));
}

struct advice_absence advice_waits_behind(const struct summary *summary)
{
	struct advice_absence sum = {0, 0};

	for (size_t i = 0; i < summary->region_count; i++) {
		struct advice_absence end = behind_at_end(summary, &summary->regions[i]);
		struct advice_absence entry = behind_at_entry(summary, &summary->regions[i]);
		sum.delayed += end.delayed + entry.delayed;
		sum.blocked += end.blocked + entry.blocked;
	}
	return sum;
}

static enum cause cause_at_entry(
    const struct advice_view *view, const struct summary_region *region)
{
	switch (waits_of(region)) {
	case WAIT_FOR_HOLDER:
		return cause_at_critical(view->summary, region);
	case WAIT_FOR_TURN:
		return each(region->enter_wait, region->visits) >= ENTRY_COST ? CAUSE_TURN
									      : CAUSE_COST;
	case WAIT_FOR_NOTHING:
	case WAIT_FOR_TEAM:
	case WAIT_FOR_TASKS:
		break;
	}
	return CAUSE_UNKNOWN;
}

static bool waits_for_tasks(const struct summary_region *region)
{
	return waits_of(region) == WAIT_FOR_TASKS;
}

uint64_t advice_barrier_waits(const struct summary *summary)
{
	uint64_t waits = summary->sync;

	for (size_t i = 0; i < summary->region_count && waits != SUMMARY_NOT_MEASURED; i++) {
		waits = subtract(waits, summary->regions[i].enter_wait);
		if (waits_for_tasks(&summary->regions[i]))
			waits = subtract(waits, summary->regions[i].barrier_wait);
	}
	for (size_t i = 0; i < summary->lock_count && waits != SUMMARY_NOT_MEASURED; i++) {
		if (!is_critical(&summary->locks[i]))
			waits = subtract(waits, summary->locks[i].wait);
	}
	return waits;
}

/*
 * Returns what is lost at the end of a construct: the wait, or the wait that it causes elsewhere;
 * without what is lost because threads did not run.
 */
static uint64_t loss_at_end(const struct advice_view *view, const struct summary_region *region)
{
	uint64_t loss = summary_gain(region);

	if (region->enter_wait != SUMMARY_NOT_MEASURED && region->enter_wait > 0)
		return SUMMARY_NOT_MEASURED;
	if (loss == SUMMARY_NOT_MEASURED)
		return loss;
	if (region->barrier_wait != SUMMARY_NOT_MEASURED) {
		struct advice_absence behind = behind_at_end(view->summary, region);
		return subtract(loss, behind.delayed + behind.blocked);
	}
	/* Unequal work is only a loss if threads wait for it, not if they find tasks to execute. */
	return loss < view->barrier_waits ? loss : view->barrier_waits;
}

static uint64_t loss_at_entry(const struct advice_view *view, const struct summary_region *region)
{
	struct advice_absence behind = behind_at_entry(view->summary, region);

	return region->enter_wait == SUMMARY_NOT_MEASURED
		   ? SUMMARY_NOT_MEASURED
		   : subtract(region->enter_wait, behind.delayed + behind.blocked);
}

static enum cause cause_at_end(const struct advice_view *view, const struct summary_region *region)
{
	const struct summary *summary = view->summary;
	bool compared = region->imbalance != SUMMARY_NOT_MEASURED;
	uint64_t loss = loss_at_end(view, region), imbalance = sure_imbalance(summary, region);

	/* No division of the work makes such waits shorter. */
	if (region->barrier_wait != SUMMARY_NOT_MEASURED &&
	    each(region->barrier_wait, region->visits) < ENTRY_COST && !waits_for_tasks(region))
		return CAUSE_COST;

	if (compared && imbalance >= loss / 4 &&
	    construct_kind(advice_construct(region)) == CONSTRUCT_KIND_SINGLE &&
	    !advice_works_alone(region, loss) && advice_has_tasks(summary, region))
		return CAUSE_BESIDE;
	if (compared && imbalance >= loss / 4)
		return region->barrier_wait == SUMMARY_NOT_MEASURED ? CAUSE_PAID : CAUSE_UNEVEN;
	if (waits_for_tasks(region))
		return each(region->barrier_wait, region->visits) >= ENTRY_COST ? CAUSE_TASKS
										: CAUSE_COST;
	if (!compared && construct_kind(advice_construct(region)) != CONSTRUCT_KIND_BARRIER)
		return CAUSE_UNKNOWN;
	if (each(region->barrier_wait, region->visits) < BARRIER_COST)
		return CAUSE_COST;
	if (summary->mpi_calls > 0 && summary->mpi_held >= loss / 2)
		return CAUSE_IN_MPI;
	return compared ? CAUSE_LATE : CAUSE_ARRIVAL;
}

typedef uint64_t region_loss(const struct advice_view *view, const struct summary_region *region);

/*
 * Returns the region to name. The parallel region around an uneven loop shows about the same loss
 * as the loop; the fix belongs in the loop, so the inner region, which is not a parallel region, is
 * preferred.
 */
static const struct summary_region *worst_region(
    const struct advice_view *view, region_loss *loss_of)
{
	const struct summary_region *worst = NULL;
	double worst_weight = 0;

	for (size_t i = 0; i < view->summary->region_count; i++) {
		const struct summary_region *region = &view->summary->regions[i];
		uint64_t loss = loss_of(view, region);
		double weight = (double)loss;

		if (loss == SUMMARY_NOT_MEASURED)
			continue;
		if (construct_kind(advice_construct(region)) == CONSTRUCT_KIND_PARALLEL)
			weight /= 1.25;
		if (weight > worst_weight) {
			worst = region;
			worst_weight = weight;
		}
	}
	return worst;
}

/* Adds the effect of the remedy, if a replay can determine it. */
static void expect_region(const struct advice_view *view, char *text,
    const struct summary_region *region, enum cause cause)
{
	struct summary_proposal proposal = {.region = region};

	switch (cause) {
	case CAUSE_UNEVEN:
	case CAUSE_PAID:
		/* A replay can only divide this work. */
		if (construct_kind(advice_construct(region)) != CONSTRUCT_KIND_WORK)
			return;
		proposal.change = SUMMARY_EVEN_WORK;
		break;
	case CAUSE_QUEUE:
	case CAUSE_FREE:
		proposal.change = SUMMARY_FREE_ENTRY;
		break;
	default:
		return;
	}
	advice_add_expected(view, text, &proposal);
}

/* Writes what threads lose at the region, and the remedy. Returns the loss, like a rule. */
static double write_loss(const struct advice_view *view, char *text,
    const struct summary_region *region, uint64_t lost, const char *remedy)
{
	double loss = summary_share(lost, view->figures->chosen);
	char place[128], time[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];

	summary_format_region(place, sizeof(place), region);
	snprintf(text, SUMMARY_ADVICE_SIZE, "%s: %s lose %s there (%s of %s); %s.", place,
	    advice_threads(view), summary_format_time(time, lost),
	    summary_format_share(share, loss), advice_time(view), remedy);
	return loss;
}

/*
 * Finds the cause of the wait at the end, if it may be something other than the construct's own
 * work.
 */
static struct advice_behind behind_end(
    const struct advice_view *view, const struct summary_region *region, enum cause cause)
{
	enum remedy_key key = advised_of[advice_construct(region)].remedy;
	bool is_own = (cause == CAUSE_UNEVEN || cause == CAUSE_PAID) &&
		      (key == REMEDY_ITERATIONS || key == REMEDY_SECTIONS);

	if (is_own || cause == CAUSE_COST || cause == CAUSE_IN_MPI || cause == CAUSE_UNKNOWN)
		return (struct advice_behind){NULL, NULL, false};
	return advice_find_behind(view, region, loss_at_end(view, region));
}

const struct summary_task *advice_small_tasks_at_end(const struct advice_view *view)
{
	const struct summary_region *region = worst_region(view, loss_at_end);
	struct advice_behind behind;

	if (!region)
		return NULL;
	behind = behind_end(view, region, cause_at_end(view, region));
	return behind.is_small ? behind.task : NULL;
}

double advise_waits_at_end(const struct advice_view *view, char *text)
{
	const struct summary_region *region = worst_region(view, loss_at_end);
	char remedy[SUMMARY_ADVICE_SIZE];
	struct advice_behind behind;
	enum cause cause;
	double loss;

	if (!region)
		return 0;
	cause = cause_at_end(view, region);
	behind = behind_end(view, region, cause);
	if (behind.region || behind.task)
		advice_write_behind(remedy, sizeof(remedy), &behind, region);
	else
		snprintf(remedy, sizeof(remedy), "%s", remedy_for(cause, advice_construct(region)));
	loss = write_loss(view, text, region, loss_at_end(view, region), remedy);
	if (behind.is_small)
		advice_add_expected(view, text,
		    &(struct summary_proposal){
			.change = SUMMARY_LARGER_TASKS, .task = behind.task});
	else if (!behind.region && !behind.task)
		expect_region(view, text, region, cause);
	return loss;
}

/* For constructs without a barrier, the loss would be in the waits of other threads. */
static uint64_t loss_at_barrier(const struct advice_view *view, const struct summary_region *region)
{
	return region->barrier_wait == SUMMARY_NOT_MEASURED ? SUMMARY_NOT_MEASURED
							    : loss_at_end(view, region);
}

double advise_chosen_end(const struct advice_view *view, char *text)
{
	const struct summary_region *region = worst_region(view, loss_at_barrier);
	bool for_tasks;

	if (!region)
		return 0;
	for_tasks =
	    waits_for_tasks(region) && each(region->barrier_wait, region->visits) >= ENTRY_COST;
	return write_loss(view, text, region, region->barrier_wait,
	    for_tasks ? remedy_for(CAUSE_TASKS, advice_construct(region))
		      : "`ompreport imbalance` compares all threads of the team");
}

double advise_waits_at_entry(const struct advice_view *view, char *text)
{
	const struct summary_region *region = worst_region(view, loss_at_entry);
	enum cause cause;
	double loss;

	if (!region)
		return 0;
	cause = cause_at_entry(view, region);
	loss = write_loss(view, text, region, loss_at_entry(view, region),
	    remedy_for(cause, advice_construct(region)));
	expect_region(view, text, region, cause);
	return loss;
}

static const struct summary_lock *worst_lock(const struct summary *summary)
{
	const struct summary_lock *worst = NULL;

	for (size_t i = 0; i < summary->lock_count; i++) {
		const struct summary_lock *lock = &summary->locks[i];

		if (lock->wait == SUMMARY_NOT_MEASURED || !lock->name || is_critical(lock))
			continue;
		if (!worst || lock->wait > worst->wait)
			worst = lock;
	}
	return worst;
}

double advise_lock(const struct advice_view *view, char *text)
{
	const struct summary_lock *worst = worst_lock(view->summary);
	char lost[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];
	const char *remedy;
	double loss;

	if (!worst)
		return 0;
	loss = summary_share(worst->wait, view->figures->chosen);
	switch (cause_at_lock(worst->acquisitions, worst->contended, worst->wait)) {
	case CAUSE_QUEUE:
		remedy = "threads queue for it: hold it shorter, or use one lock for each part of "
			 "the data";
		break;
	case CAUSE_FREE:
		remedy = "it was nearly always free when threads came: set it less often";
		break;
	default:
		remedy = "look at what the thread that holds it does meanwhile";
	}
	snprintf(text, SUMMARY_ADVICE_SIZE, "%.100s: setting it takes %s (%s of %s); %s.",
	    worst->name, summary_format_time(lost, worst->wait), summary_format_share(share, loss),
	    advice_time(view), remedy);
	advice_add_expected(
	    view, text, &(struct summary_proposal){.change = SUMMARY_FREE_LOCK, .lock = worst});
	return loss;
}
