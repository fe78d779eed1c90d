/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether the process answers requests, makes the file, waits, and withdraws it. */
#include "control-request.h"

#include "common/user-folder.h"
#include "error-text.h"
#include "process-facts.h"
#include "process-stat.h"
#include "shared/read-text.h"
#include "thread-times.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE = 20000000 /* ns */ };

struct request {
	struct process_facts facts;
	char name[CONTROL_NAME_SIZE];
	char path[USER_FOLDER_SIZE]; /* of the folder ... */
	int folder, file;            /* ... and its descriptor; -1: not open */
};

/* A signal that ends ompinst; 0: none yet. */
static volatile sig_atomic_t ended_by;

static void note_signal(int number)
{
	ended_by = number;
}

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const struct sigaction note = {.sa_handler = note_signal};
	struct sigaction before;

	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &note, NULL);
	signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails */
}

static void pause_a_while(void)
{
	nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
}

struct search {
	pid_t process;
	bool is_found;
};

static bool is_control_thread(void *context, pid_t number)
{
	struct search *search = context;
	char path[96], name[32];

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/comm", (long)search->process, (long)number);
	if (read_text(path, name, sizeof name))
		name[strcspn(name, "\n")] = '\0';
	search->is_found = strcmp(name, CONTROL_THREAD) == 0;
	return !search->is_found;
}

/* The process exists, is this user's, and looks for requests. */
static bool check_process(struct request *request, pid_t process, char **error)
{
	struct search search = {.process = process};

	if (!process_facts_read(process, &request->facts))
		return error_set(error, "there is no process %ld", (long)process);
	process = request->facts.process;
	if (request->facts.owner != geteuid())
		return error_set(error,
		    "process %ld is of another user (%ld); expected one of this user (%ld)",
		    (long)process, (long)request->facts.owner, (long)geteuid());
	search.process = process;
	threads_visit(process, is_control_thread, &search);
	return search.is_found ||
	       error_set(error,
		   "process %ld takes no requests; expected a program that was built by ompinst, or "
		   "started by 'ompinst run', with POMP_CONTROL=yes in its environment",
		   (long)process);
}

/* Its number in its own space of numbers: the last one of the line. */
static bool read_inner_number(pid_t process, long *number)
{
	char path[64], line[256];
	bool is_found = false;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
	FILE *file = fopen(path, "re");
	while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL) {
		const char *last = strrchr(line, '\t');
		is_found = strncmp(line, "NSpid:", 6) == 0 && last != NULL;
		if (is_found)
			*number = strtol(last, NULL, 10);
	}
	if (file != NULL)
		fclose(file);
	return is_found;
}

/* Opens the folder in which the process looks, as it sees it, and says what the file is called. */
static bool find_place(struct request *request, char **error)
{
	char root[64], space[64];
	struct stat status;
	long number = 0, process = (long)request->facts.process;

	snprintf(root, sizeof root, "/proc/%ld/root", process);
	snprintf(space, sizeof space, "/proc/%ld/ns/pid", process);
	if (stat(space, &status) != 0 || !read_inner_number(request->facts.process, &number))
		return error_set(error, "process %ld may not be looked at: %s", process,
		    strerror(errno != 0 ? errno : EACCES));
	control_file_name(request->name, number, request->facts.start, (uint64_t)status.st_ino);
	request->folder = user_folder_make(request->path, root);
	if (request->folder >= 0)
		return true;
	if (errno == EPERM)
		return error_set(
		    error, "'%s' is not a folder that only this user can use", request->path);
	return error_set(error, "cannot make '%s': %s", request->path, strerror(errno));
}

/* Waits for the folder's lock, which nobody holds for long, but not for ever: false. */
static bool lock_folder(const struct request *request)
{
	uint64_t end = clock_now() + (uint64_t)CONTROL_WAIT * 1000000000;

	while (flock(request->folder, LOCK_EX | LOCK_NB) != 0) {
		if (clock_now() >= end)
			return false;
		pause_a_while();
	}
	return true;
}

static void unlock_folder(const struct request *request)
{
	flock(request->folder, LOCK_UN);
}

/*
 * With the lock. Makes the file. False: another request waits, in which case *error is NULL, or
 * with *error. What is older than any request waits was left behind when its ompinst was killed.
 */
static bool make_file(struct request *request, char **error)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	struct stat status;

	request->file = openat(request->folder, request->name, flags, CONTROL_INCOMPLETE);
	if (request->file < 0 && errno == EEXIST &&
	    fstatat(request->folder, request->name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    labs((long)(time(NULL) - status.st_mtime)) > 3L * CONTROL_WAIT &&
	    unlinkat(request->folder, request->name, 0) == 0)
		request->file = openat(request->folder, request->name, flags, CONTROL_INCOMPLETE);
	if (request->file >= 0)
		return true;
	if (errno != EEXIST)
		error_set(error, "cannot make '%s/%s': %s", request->path, request->name,
		    strerror(errno));
	return false;
}

/* With the lock: removes the request. False: the program has taken it. */
static bool remove_file(const struct request *request)
{
	struct stat status;

	return fstat(request->file, &status) == 0 && status.st_nlink > 0 &&
	       unlinkat(request->folder, request->name, 0) == 0;
}

/* With the lock: makes the complete request, or nothing, with *error unless another one waits. */
static bool put_request(struct request *request, const char *text, char **error)
{
	struct control_file content = {.request = {.head = CONTROL_REQUEST}};

	snprintf(content.request.text, sizeof content.request.text, "%s", text);
	if (!make_file(request, error))
		return false;
	errno = ENOSPC; /* of a write that is too short */
	if (pwrite(request->file, &content, sizeof content, 0) == (ssize_t)sizeof content &&
	    fchmod(request->file, CONTROL_ASKED) == 0)
		return true;
	error_set(error, "cannot write '%s/%s': %s; nothing was asked", request->path,
	    request->name, strerror(errno));
	remove_file(request);
	close(request->file);
	request->file = -1;
	return false;
}

static bool put(struct request *request, const char *text, char **error)
{
	uint64_t end = clock_now() + (uint64_t)CONTROL_WAIT * 1000000000;

	while (lock_folder(request)) {
		bool is_put = put_request(request, text, error);
		unlock_folder(request);
		if (is_put || *error != NULL)
			return is_put;
		if (clock_now() >= end || ended_by != 0)
			return error_set(error,
			    "another request to process %ld waits; nothing was asked",
			    (long)request->facts.process);
		pause_a_while();
	}
	return error_set(error, "'%s' is locked by another process for %d s; nothing was asked",
	    request->path, (int)CONTROL_WAIT);
}

static bool has_ended(const struct request *request)
{
	return process_start_time(request->facts.process) != request->facts.start;
}

static bool is_answered(const struct request *request)
{
	struct stat status;

	return fstat(request->file, &status) == 0 && (status.st_mode & 07777) == CONTROL_ANSWERED;
}

/* Waits until there is an answer; false: there is none after CONTROL_WAIT. */
static bool wait_for_answer(const struct request *request, bool heeds_signals)
{
	uint64_t end = clock_now() + (uint64_t)CONTROL_WAIT * 1000000000;

	while (!is_answered(request)) {
		if (clock_now() >= end || has_ended(request) || (heeds_signals && ended_by != 0))
			return is_answered(request);
		pause_a_while();
	}
	return true;
}

/* Returns whether the request is withdrawn: the program will not see it. With *error: unknown. */
static bool withdraw(const struct request *request, char **error)
{
	if (!lock_folder(request))
		return error_set(error,
		    "'%s' is locked by another process for %d s: the request to process %ld is not "
		    "withdrawn",
		    request->path, (int)CONTROL_WAIT, (long)request->facts.process);
	bool is_removed = remove_file(request);
	unlock_folder(request);
	return is_removed;
}

static bool explain_silence(const struct request *request, bool is_withdrawn, char **error)
{
	const long process = (long)request->facts.process;

	if (has_ended(request))
		return error_set(error, "process %ld has ended", process);
	if (!is_withdrawn)
		return error_set(error,
		    "process %ld has the request and does not answer; 'ompinst control %ld' says what "
		    "holds",
		    process, process);
	if (ended_by != 0)
		return error_set(error, "interrupted; nothing was changed");
	return error_set(error,
	    "process %ld has not looked at the request for %d s: it is stopped, or cannot see '%s'; "
	    "the request is withdrawn, and nothing was changed",
	    process, (int)CONTROL_WAIT, request->path);
}

/* Waits; withdraws what is not taken, and waits again for what is. */
static bool receive(const struct request *request, struct control_part *answer, char **error)
{
	bool is_there = wait_for_answer(request, true);
	bool is_withdrawn = !is_there && withdraw(request, error);

	if (!is_there && !is_withdrawn && *error == NULL)
		is_there = wait_for_answer(request, false);
	if (!is_there)
		return *error == NULL && explain_silence(request, is_withdrawn, error);
	if (pread(request->file, answer, sizeof *answer, offsetof(struct control_file, answer)) ==
		(ssize_t)sizeof *answer &&
	    (control_part_is(answer, CONTROL_ACCEPTED) || control_part_is(answer, CONTROL_REFUSED)))
		return true;
	return error_set(error,
	    "process %ld has taken the request and could not write its answer (full disk?); 'ompinst "
	    "control %ld' says what holds",
	    (long)request->facts.process, (long)request->facts.process);
}

bool control_ask(pid_t process, const char *text, struct control_part *answer, char **error)
{
	struct request request = {.folder = -1, .file = -1};

	if (strlen(text) >= sizeof answer->text)
		return error_set(error, "the request has %zu bytes; expected at most %zu",
		    strlen(text), sizeof answer->text - 1);
	catch_signals();
	bool has_answer = check_process(&request, process, error) && find_place(&request, error) &&
			  put(&request, text, error) && receive(&request, answer, error);
	if (request.file >= 0)
		close(request.file);
	if (request.folder >= 0)
		close(request.folder);
	return has_answer;
}
