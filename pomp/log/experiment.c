/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes and fills the experiment folder. Nothing is written into an existing folder, unless it is
 * empty; the first new file claims it, because other processes may be about to do the same. An
 * archive of an earlier run makes room: its folder gets a number after its name, or with
 * POMP_OVERWRITE_EXPERIMENT_DIRECTORY the archive is removed. Anything else stays, including a
 * folder with event logs, in which another process may still be at work; then the new folder gets
 * the number. A failure costs the trace but not the profile, and is reported once.
 */
#include "experiment.h"

#include "at-start.h"
#include "message-file.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "rank-state.h"
#include "shared/array.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"
#include "shared/rank-mark.h"
#include "shared/write-whole.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NAMES = 10000 };

struct pomp_experiment pomp_experiment;

/* Writes the first content of a new definitions log. */
static void (*define_all)(void);

void pomp_experiment_define_by(void (*define)(void))
{
	define_all = define;
}

/* Returns the wanted path: the one that the user asked for, else a name from time and process. */
static char *wanted_path(void)
{
	const struct pomp_settings *settings = &pomp_process.settings;
	char *path = NULL;
	int length;

	if (settings->ring != 0 && settings->directory[0] == '\0')
		return asprintf(&path, "/dev/shm/pomp-ring-%ld", (long)pomp_process.pid) < 0 ? NULL
											     : path;
	if (pomp_rank.folder != NULL)
		return pomp_rank_own_folder();
	if (settings->directory[0] == '\0') {
		time_t now = time(NULL);
		struct tm local;
		char stamp[32];
		localtime_r(&now, &local);
		strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M", &local);
		length = asprintf(&path, "pomp-%s-%ld", stamp, (long)pomp_process.pid);
	} else {
		length = asprintf(&path, "%s", settings->directory);
	}
	if (length < 0)
		return NULL;
	/* Numbers are added after the name, not into the folder. */
	while (length > 1 && path[length - 1] == '/')
		path[--length] = '\0';
	if (pomp_process.child && settings->directory[0] != '\0') {
		char *name = path;
		length = asprintf(&path, "%s-%ld", name, (long)pomp_process.pid);
		free(name);
		if (length < 0)
			return NULL;
	}
	return pomp_rank.announced && pomp_rank.ranks == NULL && settings->ring == 0
		   ? pomp_rank_temporary_folder(path)
		   : path;
}

/* Returns whether other processes may want the same name: the user's, without a number after it. */
static bool name_is_shared(void)
{
	const struct pomp_rank *rank = &pomp_rank;

	return pomp_process.settings.directory[0] != '\0' && !pomp_process.child &&
	       rank->folder == NULL && (!rank->announced || rank->ranks != NULL);
}

static bool is_empty_folder(const char *path)
{
	DIR *folder = opendir(path);
	int count = 0;

	if (folder == NULL)
		return false;
	while (count <= 2 && readdir(folder) != NULL)
		count++; /* . and .. */
	closedir(folder);
	return count == 2;
}

/* Returns whether the folder contains a finished archive and no event logs. */
static bool is_finished(const char *path)
{
	char *archive = NULL, *logs = NULL, *ranks = NULL;
	bool finished = asprintf(&archive, "%s/traces.otf2", path) >= 0 &&
			asprintf(&logs, "%s/" TRACE_LOG_DEFINITIONS, path) >= 0 &&
			asprintf(&ranks, "%s/" TRACE_LOG_RANKS, path) >= 0 &&
			access(archive, F_OK) == 0 && access(logs, F_OK) != 0 &&
			access(ranks, F_OK) != 0;

	free(archive);
	free(logs);
	free(ranks);
	return finished;
}

/* Like rename(), but fails if the name exists. musl lacks the function for this kernel call. */
static int rename_to_new(const char *path, const char *name)
{
#ifdef RENAME_NOREPLACE
	return renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
#else
	const unsigned no_replace = 1;
	return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name, no_replace);
#endif
}

/* Renames the folder to the first free one of path-1, path-2 ... */
static void move_away(const char *path)
{
	for (int number = 1; number < MOST_NAMES; number++) {
		char *name = NULL;
		if (asprintf(&name, "%s-%d", path, number) < 0)
			return;
		/* Fails if the name is a file or, unlike rename(), an empty folder. */
		int result = rename_to_new(path, name);
		free(name);
		if (result == 0)
			DEBUG_LOG(experiment, "'%s': an earlier run's folder, renamed to number %d",
			    path, number);
		if (result == 0 || errno != EEXIST)
			return;
	}
}

/* Removes the files in that folder whose name is a number and one of these suffixes. */
static void remove_location_files(const char *path)
{
	DIR *folder = opendir(path);

	if (folder == NULL)
		return;
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		const char *suffix = entry->d_name + strspn(entry->d_name, "0123456789");
		if (suffix > entry->d_name &&
		    (strcmp(suffix, ".evt") == 0 || strcmp(suffix, ".def") == 0))
			unlinkat(dirfd(folder), entry->d_name, 0);
	}
	closedir(folder);
}

/* Removes what a run leaves in its folder, and nothing else. */
static void remove_archive(const char *path)
{
	static const char *const names[] = {
	    "traces.otf2", "traces.def", "pomp.cfg", "traces", TRACE_LOG_UNFINISHED};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = NULL;
		if (asprintf(&name, "%s/%s", path, names[i]) < 0)
			return;
		if (strcmp(names[i], "traces") == 0)
			remove_location_files(name);
		remove(name);
		free(name);
	}
}

/*
 * Keeps other measured processes from renaming and claiming folders next to this one meanwhile: a
 * folder that was found finished must still be so when it is moved. Returns what to close when
 * done. Continues without the lock if the file system has none, or if another process holds it too
 * long.
 */
static int lock_folder_above(const char *path)
{
	enum { TRIES = 100, PAUSE_NS = 10000000 };
	char *above = strdup(path);
	char *slash = above != NULL ? strrchr(above, '/') : NULL;

	if (slash != NULL)
		slash[slash == above] = '\0';
	int folder = above == NULL
			 ? -1
			 : open(slash != NULL ? above : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(above);
	for (int i = 0; folder >= 0 && i < TRIES; i++) {
		if (flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			break;
		nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
	}
	return folder;
}

/* Claims the folder with a new file, which no other process can have made. False with errno. */
static bool take_folder(const char *path, const struct trace_log_ranks *mark)
{
	struct pomp_experiment *experiment = &pomp_experiment;

	if (mark != NULL)
		return pomp_rank_mark_make(path, mark);
	experiment->definitions_bytes = sizeof(struct trace_log_process);
	return pomp_file_make(&experiment->definitions, path, TRACE_LOG_DEFINITIONS);
}

/* Returns whether a folder is this user's alone, as one with rings must be. */
static bool is_private(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       (status.st_mode & 0077) == 0;
}

/* Makes that folder, or accepts an empty one, and claims it. False with errno. */
static bool make_and_take(const char *path, const struct trace_log_ranks *mark)
{
	bool has_rings = pomp_process.settings.ring != 0;
	bool made = pomp_folder_make(path, has_rings ? 0700 : 0777);

	if (!made && (errno != EEXIST || !is_empty_folder(path)))
		return false;
	if (!made && has_rings && !is_private(path)) {
		errno = EEXIST;
		return false;
	}
	if (take_folder(path, mark))
		return true;
	int error = errno;
	if (made)
		rmdir(path);
	errno = error;
	return false;
}

/*
 * Returns whether the folder has the same mark: then ranks that do not communicate have claimed it
 * already.
 */
static bool has_mark(const char *path, const struct trace_log_ranks *mark)
{
	struct trace_log_ranks found = {0};

	return pomp_rank_mark_read(path, &found) && memcmp(&found, mark, sizeof(found)) == 0;
}

/*
 * Makes the folder, or the first free one of path, path-2, path-3 ...; on failure, errno is the
 * reason.
 */
static char *make_folder(const char *wanted, const struct trace_log_ranks *mark)
{
	if (is_finished(wanted)) {
		if (pomp_process.settings.overwrite)
			remove_archive(wanted);
		else
			move_away(wanted);
	}
	for (int number = 1; number < MOST_NAMES; number++) {
		char *path = NULL;
		if ((number == 1 ? asprintf(&path, "%s", wanted)
				 : asprintf(&path, "%s-%d", wanted, number)) < 0)
			return NULL;
		if (make_and_take(path, mark)) {
			DEBUG_LOG(experiment, "made '%s'", path);
			return path;
		}
		int error = errno;
		DEBUG_LOG(experiment, "cannot take '%s': %s", path, strerror(error));
		if (error == EEXIST && mark != NULL && has_mark(path, mark)) {
			pomp_experiment.joined = true;
			return path;
		}
		free(path);
		errno = error;
		if (error != EEXIST)
			return NULL;
	}
	return NULL;
}

static bool write_definitions(const void *data, size_t size, off_t offset)
{
	struct pomp_experiment *experiment = &pomp_experiment;

	return pomp_file_ready(&experiment->definitions, load_relaxed(&experiment->path),
		   TRACE_LOG_DEFINITIONS) &&
	       pomp_write_whole(experiment->definitions.descriptor, data, size, offset);
}

/*
 * Writes all waiting entries. If that fails, for example because the disk is full, they stay and
 * are written together with later ones, so that the file has all entries in their order.
 */
static void write_waiting(void)
{
	struct pomp_experiment *experiment = &pomp_experiment;

	if (!write_definitions(
		experiment->waiting, experiment->waiting_bytes, experiment->definitions_bytes))
		return;
	experiment->definitions_bytes += (off_t)experiment->waiting_bytes;
	experiment->waiting_bytes = 0;
	free(experiment->waiting);
	experiment->waiting = NULL;
	experiment->waiting_capacity = 0;
}

/* Returns false when memory ran out. */
static bool add_waiting(
    uint32_t type, const void *head, size_t head_size, const char *const *texts, size_t text_count)
{
	struct pomp_experiment *experiment = &pomp_experiment;
	size_t size = head_size;

	for (size_t i = 0; i < text_count; i++)
		size += strlen(texts[i]) + 1;
	struct trace_log_entry entry = {type, (uint32_t)size};
	size_t whole = sizeof(entry) + ((size + 7) & ~(size_t)7);
	if (!ARRAY_ROOM(experiment->waiting, experiment->waiting_bytes,
		experiment->waiting_capacity, whole))
		return false;
	char *buffer = experiment->waiting + experiment->waiting_bytes;
	experiment->waiting_bytes += whole;
	char *place = mempcpy(buffer, &entry, sizeof(entry));
	if (head_size > 0)
		place = mempcpy(place, head, head_size);
	for (size_t i = 0; i < text_count; i++)
		place = stpcpy(place, texts[i]) + 1;
	memset(place, 0, (size_t)(buffer + whole - place));
	return true;
}

/* Uses one write, so that the entry is either complete or not there. */
void pomp_experiment_append(
    uint32_t type, const void *head, size_t head_size, const char *const *texts, size_t text_count)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	if (add_waiting(type, head, head_size, texts, text_count))
		write_waiting();
	else
		pomp_experiment_note_failure(TRACE_LOG_DEFINITIONS, ENOMEM);
}

void pomp_experiment_append_later(
    uint32_t type, const void *head, size_t head_size, const char *const *texts, size_t text_count)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	const size_t together = 64 << 10, most = 1 << 20;

	if (pomp_experiment.waiting_bytes < most &&
	    add_waiting(type, head, head_size, texts, text_count) &&
	    pomp_experiment.waiting_bytes >= together)
		write_waiting();
}

static void define_program(void)
{
	const struct pomp_at_start *start = &pomp_at_start;

	if (start->arguments != NULL)
		pomp_experiment_append(
		    TRACE_LOG_PROGRAM, start->arguments, start->arguments_bytes, NULL, 0);
}

static void define_host(void)
{
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1) == 0)
		pomp_experiment_append(TRACE_LOG_HOST, host, strlen(host) + 1, NULL, 0);
}

static bool write_process(struct trace_log_moment end)
{
	struct trace_log_process head = {
	    .magic = TRACE_LOG_MAGIC,
	    .pid = (uint64_t)pomp_process.pid,
	    .start = pomp_process.clock.start,
	    .end = end,
	    .tick_is_nanosecond = !pomp_process.clock.counter,
	    .boot = pomp_clock_boot(),
	    .cut = pomp_experiment.cut,
	};

	return write_definitions(&head, sizeof(head), 0);
}

static void write_configuration(void)
{
	struct pomp_file file;
	FILE *out = NULL;

	if (pomp_file_make(&file, load_relaxed(&pomp_experiment.path), "pomp.cfg"))
		out = fdopen(file.descriptor, "w");
	if (out != NULL) {
		pomp_settings_write(&pomp_process.settings, out);
		fclose(out);
	} else {
		pomp_file_close(&file);
	}
}

char *pomp_experiment_make(const struct trace_log_ranks *mark)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	char *wanted = wanted_path();
	char *whole = wanted != NULL ? pomp_at_start_path(wanted) : NULL;
	int lock = whole != NULL && name_is_shared() ? lock_folder_above(whole) : -1;
	char *made = whole != NULL ? make_folder(whole, mark) : NULL;
	int error = errno;
	/* Even if the folder of the start is unknown, the path must stay valid. */
	char *absolute = made != NULL ? realpath(made, NULL) : NULL;

	if (lock >= 0)
		close(lock);
	/* Ranks report together what happens to the common trace. */
	if (made == NULL && mark == NULL && pomp_rank_reports_for_all())
		fprintf(pomp_message_file(),
		    "pomp: cannot make the experiment folder '%s': %s; no trace is written\n",
		    wanted != NULL ? wanted : "", strerror(error));
	else if (made == NULL && mark == NULL) /* MPI_Init may try again */
		pomp_experiment.late = error;
	free(wanted);
	free(whole);
	if (absolute != NULL)
		free(made);
	errno = error;
	return absolute != NULL ? absolute : made;
}

/* Without its first words neither the definitions log nor the event logs can be read. */
static void give_up(void)
{
	struct pomp_experiment *experiment = &pomp_experiment;
	int error = errno;
	char *path = load_relaxed(&experiment->path), *name = NULL;

	fprintf(pomp_message_file(),
	    "pomp: %s/" TRACE_LOG_DEFINITIONS ": %s; no trace is written\n", path, strerror(error));
	pomp_file_close(&experiment->definitions);
	if (asprintf(&name, "%s/" TRACE_LOG_DEFINITIONS, path) >= 0) {
		unlink(name);
		free(name);
	}
	rmdir(path);
	store_relaxed(&experiment->path, NULL);
	free(path);
	experiment->unusable = true;
}

bool pomp_experiment_open(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;
	char *path = load_relaxed(&experiment->path);

	if (path != NULL || experiment->unusable)
		return path != NULL;
	path = pomp_experiment_make(NULL);
	if (path == NULL) {
		experiment->unusable = true;
		return false;
	}
	store_relaxed(&experiment->path, path);
	if (!write_process((struct trace_log_moment){0})) {
		give_up();
		return false;
	}
	if (pomp_process.settings.ring != 0 && !pomp_process.child)
		fprintf(pomp_message_file(),
		    "pomp: the latest events of each thread are kept in '%s'; if the program is "
		    "killed, `ompreport recover %s` makes a trace of them\n",
		    path, path);
	else if (pomp_process.settings.verbose)
		fprintf(pomp_message_file(), "pomp: recording events in '%s'\n", path);
	define_program();
	define_host();
	if (define_all != NULL)
		define_all();
	write_configuration();
	return true;
}

/*
 * Writes immediately, to bytes that the file already has: the program may be killed, and the disk
 * may be full.
 */
void pomp_experiment_note_cut(uint64_t time)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;

	if (load_relaxed(&experiment->path) == NULL ||
	    (experiment->cut != 0 && experiment->cut <= time))
		return;
	experiment->cut = time;
	if (!write_process((struct trace_log_moment){0}))
		pomp_experiment_note_failure(TRACE_LOG_DEFINITIONS, errno);
}

/* Allocates nothing, because memory may be what is missing. */
void pomp_experiment_note_failure(const char *what, int error)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;

	if (experiment->problem[0] == '\0')
		snprintf(experiment->problem, sizeof(experiment->problem), "%s: %s", what,
		    strerror(error));
	DEBUG_LOG(experiment, "%s: %s", what, strerror(error));
}

void pomp_experiment_note_size_limit(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;

	if (experiment->problem[0] == '\0')
		snprintf(experiment->problem, sizeof(experiment->problem),
		    "POMP_MAX_TRACE_SIZE=%llu: reached",
		    (unsigned long long)pomp_process.settings.max_trace);
}

void pomp_experiment_close(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;
	const char *path = load_relaxed(&experiment->path);

	if (path == NULL)
		return;
	if (experiment->waiting_bytes > 0)
		write_waiting();
	DEBUG_LOG(experiment, "'%s': definitions of %llu bytes, event logs of %llu bytes", path,
	    (unsigned long long)experiment->definitions_bytes,
	    (unsigned long long)load_relaxed(&experiment->bytes));
	if (!write_process(pomp_process.clock.end) || experiment->waiting_bytes > 0)
		pomp_experiment_note_failure(TRACE_LOG_DEFINITIONS, errno);
	pomp_file_close(&experiment->definitions);
}

void pomp_experiment_discard(void)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_experiment *experiment = &pomp_experiment;
	const char *path = load_relaxed(&experiment->path);
	DIR *folder = path != NULL ? opendir(path) : NULL;

	if (folder == NULL)
		return;
	pomp_file_close(&experiment->definitions);
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		const char *suffix = strrchr(entry->d_name, '.');
		if (suffix != NULL &&
		    (strcmp(suffix, ".pomplog") == 0 || strcmp(entry->d_name, "pomp.cfg") == 0))
			unlinkat(dirfd(folder), entry->d_name, 0);
	}
	closedir(folder);
	rmdir(path);
}

void pomp_experiment_after_fork(void)
{
	struct pomp_experiment *experiment = &pomp_experiment;
	char *path = load_relaxed(&experiment->path);

	if (path != NULL) {
		pomp_file_close(&experiment->definitions);
		free(path);
	}
	free(experiment->waiting);
	*experiment = (struct pomp_experiment){0};
}
