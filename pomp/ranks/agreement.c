/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This process as one rank of many. Until MPI_Init the other ranks are unknown, and the logs are in
 * a folder of the process itself. Then rank 0 makes the folder of the run, and each rank moves its
 * own folder there. A rank that cannot see rank 0's folder (another machine, no shared file system)
 * makes one with the same name where it is, to be gathered later.
 */
#include "event.h"
#include "experiment.h"
#include "message-file.h"
#include "own-rank.h"
#include "rank-state.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"
#include "shared/rank-mark.h"
#include "shared/text-hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 };

struct pomp_rank_state pomp_rank_announce(void)
{
	struct pomp_rank_state state = {0};

	bool measures = pomp_measurement_start();
	state.separate = !pomp_process.settings.together;
	if (!measures)
		return state;
	pomp_rank.announced = true;
	state.measures = pomp_process.settings.mpi;
	state.clock_sync = pomp_process.settings.clock_sync * 1000000000u;
	return state;
}

void pomp_rank_without_mpi(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;
	const char *path = load_relaxed(&experiment->path);

	if (!pomp_rank.announced || pomp_rank.ranks != NULL || path == NULL)
		return;
	pomp_rank.announced = false;
	char *wanted = pomp_experiment_make(&(struct trace_log_ranks){TRACE_LOG_MAGIC, 1});
	if (wanted == NULL)
		return;
	/*
	 * The target is empty again; should another process claim it now, this folder stays where
	 * it is.
	 */
	pomp_rank_mark_remove(wanted);
	if (rename(path, wanted) == 0) {
		store_release(&experiment->path, wanted);
	} else {
		rmdir(wanted);
		free(wanted);
	}
}

/* Writes the mark by which the other ranks recognise the folder. */
static void write_mark(const char *folder, const struct trace_log_ranks *mark)
{
	if (!pomp_rank_mark_write(folder, mark))
		pomp_experiment_note_failure(TRACE_LOG_RANKS, errno);
}

static bool sees_mark(const char *folder, const struct trace_log_ranks *mark)
{
	struct trace_log_ranks found = {0};

	return pomp_rank_mark_read(folder, &found) && memcmp(&found, mark, sizeof(found)) == 0;
}

/*
 * Moves this rank's folder into the shared one. Process lock held. Returns 0, or the error number
 * because of which the rank has no folder.
 */
static int move_in(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;
	const char *old = load_relaxed(&experiment->path);
	char *path = pomp_rank_own_folder();

	if (path == NULL)
		return ENOMEM;
	if (old == NULL) {
		free(path);
		experiment->unusable = false;
		if (!pomp_experiment_open())
			return errno;
		pomp_threads_retry_logs();
		return 0;
	}
	if (rename(old, path) == 0) {
		/*
		 * The old string is not freed: the thread that maps windows ahead may be reading
		 * it.
		 */
		store_release(&experiment->path, path);
	} else {
		fprintf(pomp_message_file(), "pomp: %s: cannot be moved to '%s': %s\n", old, path,
		    strerror(errno));
		free(path);
	}
	return 0;
}

/* What one rank tells the others about the folder. */
struct agreed_folder {
	char wanted[LONGEST_PATH]; /* POMP_EXPERIMENT_DIRECTORY */
	char path[LONGEST_PATH];   /* "": the folder could not be made */
	struct trace_log_ranks mark;
};

static uint64_t token_of_run(void)
{
	uint64_t token;

	if (getrandom(&token, sizeof(token), GRND_NONBLOCK) < 0)
		token = pomp_clock_ticks(&pomp_process.clock);
	return token;
}

/*
 * The same for ranks that do not communicate: computed from what the launcher has given to each of
 * them, or from the launcher's process on this machine. A rank that finds another token makes
 * another folder.
 */
static uint64_t token_of_job(void)
{
	static const char *const names[] = {
	    "PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID", "SLURM_STEP_ID"};
	uint64_t token = TEXT_HASH_START;
	bool known = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		known |= value != NULL;
		token = text_hash(token, value != NULL ? value : "");
	}
	return known ? token : token ^ pomp_clock_boot() ^ (uint64_t)getppid();
}

/*
 * Called by all tracing ranks: `maker` makes the folder, or sets the error. Returns whether it did.
 */
static bool let_make(
    const struct pomp_ranks *ranks, uint32_t maker, struct agreed_folder *agreed, int *error)
{
	*agreed = (struct agreed_folder){0};
	if (ranks->rank == maker) {
		agreed->mark = (struct trace_log_ranks){TRACE_LOG_MAGIC, ranks->program_size};
		agreed->mark.token =
		    pomp_process.settings.together ? token_of_run() : token_of_job();
		char *made = pomp_experiment_make(&agreed->mark);
		*error = made == NULL ? errno : ENAMETOOLONG;
		if (made != NULL && strlen(made) < LONGEST_PATH)
			memcpy(agreed->path, made, strlen(made) + 1);
		free(made);
		snprintf(
		    agreed->wanted, sizeof(agreed->wanted), "%s", pomp_process.settings.directory);
	}
	return ranks->broadcast(ranks, agreed, sizeof(*agreed), maker) == 0 &&
	       agreed->path[0] != '\0';
}

/*
 * Called by all tracing ranks: the first makes the folder; if it cannot, the first rank with
 * another setting tries. Returns whether there is a folder.
 */
static bool make_folder(const struct pomp_ranks *ranks, struct agreed_folder *agreed)
{
	int error = 0;
	bool made = let_make(ranks, 0, agreed, &error);
	uint64_t others = strcmp(agreed->wanted, pomp_process.settings.directory) != 0;
	uint64_t earlier = others, sums[2] = {others};

	if (ranks->before(ranks, &earlier, 1) != 0)
		return made;
	if (others && earlier == 0)
		sums[1] = ranks->rank;
	if (ranks->sum(ranks, sums, 2) != 0)
		return made;
	bool first_made = made;
	if (!made && sums[0] > 0)
		made = let_make(ranks, (uint32_t)sums[1], agreed, &(int){0});
	if (!first_made || others)
		pomp_experiment.late = 0; /* this reports it */
	if (ranks->rank != 0)
		return made;
	if (!first_made)
		fprintf(pomp_message_file(),
		    "pomp: cannot make the experiment folder '%s': %s; %s%s%s\n",
		    pomp_process.settings.directory, strerror(error),
		    made ? "the trace of all ranks is in '" : "no trace is written", agreed->path,
		    made ? "'" : "");
	else if (sums[0] > 0)
		fprintf(pomp_message_file(),
		    "pomp: POMP_EXPERIMENT_DIRECTORY differs between the ranks; the trace of all of "
		    "them is in '%s'\n",
		    agreed->path);
	return made;
}

/*
 * Called by all tracing ranks: *seen is whether this rank sees the shared folder. Returns 0, or the
 * error number because of which it has none; rank.folder stays NULL if there is none at all.
 */
static int agree_on_folder(const struct pomp_ranks *ranks, bool *seen)
{
	struct agreed_folder agreed;

	*seen = false;
	if (!make_folder(ranks, &agreed)) {
		pomp_experiment.unusable = load_relaxed(&pomp_experiment.path) == NULL;
		return ENOENT;
	}
	*seen = sees_mark(agreed.path, &agreed.mark);
	DEBUG_LOG(rank, "%u: the folder of all is '%s', which this rank %s", ranks->number,
	    agreed.path, *seen ? "sees" : "does not see");
	if (!*seen && (pomp_folder_make(agreed.path, 0777) || errno == EEXIST))
		write_mark(agreed.path, &agreed.mark);
	pomp_rank.folder = strdup(agreed.path);
	return pomp_rank.folder != NULL ? move_in() : ENOMEM;
}

/* Called by all ranks: the first rank that measures reports settings that differ. */
static void report_differences(
    const struct pomp_ranks *ranks, bool measures, const uint64_t *sums, uint64_t profiled)
{
	uint64_t earlier = measures;

	if (ranks->before(ranks, &earlier, 1) != 0 || !measures || earlier > 0)
		return;
	if (sums[1] % ranks->size != 0)
		fprintf(pomp_message_file(),
		    "pomp: the ranks are not measured alike: the trace is of %llu of %u ranks, the "
		    "summary of %llu (POMP_DISABLE, POMP_ENABLE_TRACING and POMP_ENABLE_PROFILING)\n",
		    (unsigned long long)sums[1], ranks->size, (unsigned long long)profiled);
	else
		fprintf(pomp_message_file(),
		    "pomp: the ranks are not measured alike: the summary is of %llu of %u ranks "
		    "(POMP_DISABLE and POMP_ENABLE_PROFILING)\n",
		    (unsigned long long)profiled, ranks->size);
}

/*
 * Called by all ranks: returns the group of the ranks with `yes`; NULL for the others. `count` is
 * their number.
 */
static const struct pomp_ranks *group_of(const struct pomp_ranks *ranks, bool yes, uint64_t count)
{
	if (count == 0 || count == ranks->size)
		return count > 0 ? ranks : NULL;
	return ranks->only(ranks, yes);
}

/*
 * Called by all tracing ranks: ranks that cannot write are left out, and the first of them reports
 * it. Returns the group of the others; NULL if this rank is left out.
 */
static const struct pomp_ranks *leave_out_unusable(const struct pomp_ranks *traced, int error)
{
	uint64_t failed = error != 0, earlier = failed;

	if (traced->before(traced, &earlier, 1) != 0 || traced->sum(traced, &failed, 1) != 0)
		return NULL;
	if (error != 0)
		pomp_experiment.late = 0; /* this reports it */
	if (pomp_rank.folder != NULL && error != 0 && earlier == 0)
		fprintf(pomp_message_file(),
		    "pomp: rank %u: cannot write its event log in '%s': %s; the trace lacks %llu of %u "
		    "ranks\n",
		    traced->number, pomp_rank.folder, strerror(error), (unsigned long long)failed,
		    traced->size);
	return group_of(traced, error == 0, traced->size - failed);
}

/*
 * Every tracing rank needs a location, even without events, because OTF2 identifies ranks by their
 * locations.
 */
static void open_own_log(void)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->log.cursor == NULL && thread->log.enabled)
		pomp_event_make_room(thread);
	pomp_event_drop(thread);
}

/* Called by all tracing ranks: prepares their folder and a log for each. */
static void start_tracing(struct pomp_rank *rank)
{
	bool seen;

	pomp_lock_process();
	int error = agree_on_folder(rank->traced, &seen);
	rank->traced = leave_out_unusable(rank->traced, error);
	pomp_unlock_process();
	if (rank->traced == NULL)
		return;
	open_own_log();
	uint64_t seeing = seen;
	rank->gathered =
	    rank->traced->sum(rank->traced, &seeing, 1) == 0 && seeing == rank->traced->size;
}

struct pomp_rank_agreement pomp_rank_start(const struct pomp_ranks *ranks)
{
	struct pomp_rank *rank = &pomp_rank;
	const struct pomp_settings *settings = &pomp_process.settings;
	bool measures = load_acquire(&pomp_state) == POMP_STATE_ON;
	/* A ring is each rank's own, and no trace is made of it here. */
	bool traces = measures && settings->tracing && settings->ring == 0;
	bool profiles = measures && settings->profiling;
	uint64_t sums[3] = {measures, traces, profiles};

	if (ranks->sum(ranks, sums, 3) != 0)
		return (struct pomp_rank_agreement){0};
	pomp_lock_process();
	rank->ranks = ranks;
	pomp_unlock_process();
	rank->traced = group_of(ranks, traces, sums[1]);
	rank->profiled = group_of(ranks, profiles, sums[2]);
	DEBUG_LOG(rank, "%u of %u: %llu ranks trace, %llu profile", ranks->number, ranks->size,
	    (unsigned long long)sums[1], (unsigned long long)sums[2]);
	if (sums[1] % ranks->size != 0 || sums[2] % ranks->size != 0)
		report_differences(ranks, measures, sums, sums[2]);
	if (rank->traced != NULL)
		start_tracing(rank);
	uint64_t noting = rank->traced != NULL && settings->mpi;
	if (sums[1] > 0 && ranks->sum(ranks, &noting, 1) != 0)
		noting = 0;
	return (struct pomp_rank_agreement){rank->traced, (uint32_t)noting};
}

uint64_t pomp_rank_clock(void)
{
	return pomp_clock_boot() * 2 + pomp_process.clock.counter;
}

uint64_t pomp_rank_ticks(void)
{
	return pomp_clock_ticks(&pomp_process.clock);
}
