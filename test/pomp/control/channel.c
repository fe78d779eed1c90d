/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libpomp takes for a request, and what it does with others: files in the user's folder that
 * are links, of another user, too short, damaged. The duty is called as its thread does, so that it
 * is known when it has looked.
 */
#include "check.h"
#include "common/user-folder.h"
#include "own-thread.h"
#include "process-state.h"
#include "common/control-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct pomp_duty *const duty = &pomp_control_duty;
static char folder[USER_FOLDER_SIZE], path[USER_FOLDER_SIZE + CONTROL_NAME_SIZE],
    name[CONTROL_NAME_SIZE];
static int directory; /* the folder */

/* Makes a file with a request of that text; returns its descriptor. */
static int ask(const char *head, const char *text, mode_t mode)
{
	struct control_file content = {.request = {.head = ""}};
	int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);

	snprintf(content.request.head, sizeof(content.request.head), "%s", head);
	snprintf(content.request.text, sizeof(content.request.text), "%s", text);
	EXPECT(write(file, &content, sizeof(content)) == (long)sizeof(content));
	fchmod(file, mode);
	return file;
}

static bool is_there(void)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

/* The file is no request: nobody looks into it, and it stays as it is. */
static void is_left_alone(const char *what, bool may_be_due)
{
	(void)what;
	EXPECT(duty->is_due(0) == may_be_due);
	if (may_be_due)
		duty->act();
	EXPECT(is_there());
	unlink(path);
}

/* Lets the duty act; checks the answer in the file, which is closed. */
static void is_answered(int file, const char *head, const char *text)
{
	struct control_part answer;
	struct stat status;

	EXPECT(duty->is_due(0));
	duty->act();
	EXPECT(!is_there());
	EXPECT(!duty->is_due(0));
	fstat(file, &status);
	EXPECT((status.st_mode & 07777) == CONTROL_ANSWERED);
	EXPECT(pread(file, &answer, sizeof(answer), offsetof(struct control_file, answer)) ==
	       (long)sizeof(answer));
	EXPECT(strcmp(answer.head, head) == 0);
	EXPECT(strncmp(answer.text, text, strlen(text)) == 0);
	close(file);
}

static void requests_are_answered(void)
{
	is_answered(ask(CONTROL_REQUEST, "", CONTROL_ASKED), CONTROL_ACCEPTED, "sampling=250\n");
	is_answered(ask(CONTROL_REQUEST, "sampling=50\n", CONTROL_ASKED), CONTROL_ACCEPTED,
	    "sampling=50\n");
	is_answered(ask(CONTROL_REQUEST, "sampling=99999\n", CONTROL_ASKED), CONTROL_REFUSED,
	    "sampling='99999': expected off or");
	is_answered(ask(CONTROL_REQUEST, "\x1b[2J=1", CONTROL_ASKED), CONTROL_REFUSED,
	    "'?[2J': expected one of");
	is_answered(ask(CONTROL_REQUEST, "sampling=250\n", CONTROL_ASKED), CONTROL_ACCEPTED,
	    "sampling=250\n");
}

static void damaged_ones_are_refused(void)
{
	struct control_file content;
	int file = ask("ompinst-2", "sampling=50\n", CONTROL_ASKED);

	is_answered(file, CONTROL_REFUSED, "the request is of another version, or damaged");
	file = ask(CONTROL_REQUEST, "", CONTROL_ASKED);
	memset(&content, 'x', sizeof(content));
	EXPECT(pwrite(file, &content, sizeof(content), 0) == (long)sizeof(content));
	is_answered(file, CONTROL_REFUSED, "the request is of another version, or damaged");
}

static void others_are_left_alone(void)
{
	char other[sizeof(path) + 8];
	int file;

	close(ask(CONTROL_REQUEST, "sampling=50\n", CONTROL_INCOMPLETE));
	is_left_alone("not complete", false);
	close(ask(CONTROL_REQUEST, "sampling=50\n", 0644));
	is_left_alone("others may read it", false);
	close(ask(CONTROL_REQUEST, "sampling=50\n", 04600));
	is_left_alone("set-user-ID", false);
	file = ask(CONTROL_REQUEST, "sampling=50\n", CONTROL_ASKED);
	EXPECT(ftruncate(file, sizeof(struct control_file) - 1) == 0);
	is_left_alone("too short", false);
	EXPECT(close(file) == 0);
	file = ask(CONTROL_REQUEST, "sampling=50\n", CONTROL_ASKED);
	EXPECT(ftruncate(file, INT64_C(1) << 40) == 0);
	is_left_alone("too long", false);
	EXPECT(close(file) == 0);
	EXPECT(mkfifo(path, 0600) == 0);
	is_left_alone("a pipe", false);
	EXPECT(mkdir(path, 0700) == 0);
	EXPECT(!duty->is_due(0));
	EXPECT(rmdir(path) == 0);

	snprintf(other, sizeof(other), "%s-other", path);
	close(ask(CONTROL_REQUEST, "sampling=50\n", CONTROL_ASKED));
	EXPECT(rename(path, other) == 0);
	EXPECT(symlink(other, path) == 0);
	is_left_alone("a symbolic link", false);
	EXPECT(link(other, path) == 0);
	is_left_alone("a file of two names", false);
	EXPECT(unlink(other) == 0);
	if (geteuid() == 0) {
		close(ask(CONTROL_REQUEST, "sampling=50\n", CONTROL_ASKED));
		EXPECT(chown(path, 65534, 65534) == 0);
		is_left_alone("another user's", false);
	}
}

/* What is there when it is opened counts, whatever was there when it was looked for. */
static void changes_in_between(void)
{
	close(ask(CONTROL_REQUEST, "sampling=50\n", CONTROL_ASKED));
	EXPECT(duty->is_due(0));
	EXPECT(chmod(path, 0644) == 0);
	duty->act();
	EXPECT(is_there());
	EXPECT(unlink(path) == 0);
	EXPECT(symlink("/dev/zero", path) == 0);
	duty->act();
	EXPECT(unlink(path) == 0);
	EXPECT(mkfifo(path, 0600) == 0);
	duty->act();
	EXPECT(unlink(path) == 0);
	duty->act();
}

/* While another process has the folder locked, the request stays; nobody waits. */
static void locked_folder(void)
{
	int file = ask(CONTROL_REQUEST, "", CONTROL_ASKED);

	EXPECT(flock(directory, LOCK_EX) == 0);
	is_left_alone("the folder is locked", true);
	EXPECT(flock(directory, LOCK_UN) == 0);
	close(file);
	is_answered(ask(CONTROL_REQUEST, "", CONTROL_ASKED), CONTROL_ACCEPTED, "sampling=250\n");
}

/* The answer cannot be written: the request is gone, and its ompinst sees that there is no answer.
 */
static void no_room(void)
{
	struct rlimit before, none = {0, RLIM_INFINITY};
	struct control_part answer;
	struct stat status;
	int file = ask(CONTROL_REQUEST, "", CONTROL_ASKED);

	getrlimit(RLIMIT_FSIZE, &before);
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_FSIZE, &none);
	duty->is_due(0);
	duty->act();
	setrlimit(RLIMIT_FSIZE, &before);
	EXPECT(!is_there());
	fstat(file, &status);
	EXPECT((status.st_mode & 07777) == CONTROL_ANSWERED);
	EXPECT(pread(file, &answer, sizeof(answer), offsetof(struct control_file, answer)) ==
	       (long)sizeof(answer));
	EXPECT(answer.head[0] == '\0');
	close(file);
}

static void folders_are_checked(void)
{
	char work[] = "/tmp/pomp-control-XXXXXX", folder_path[64], link_path[64];
	int file;

	EXPECT(mkdtemp(work) != NULL);
	snprintf(folder_path, sizeof(folder_path), "%s/folder", work);
	snprintf(link_path, sizeof(link_path), "%s/link", work);
	mkdir(folder_path, 0700);
	EXPECT(symlink(folder_path, link_path) == 0);
	file = user_folder_open(folder_path);
	EXPECT(file >= 0);
	close(file);
	EXPECT(user_folder_open(link_path) == -1);
	EXPECT(errno == EPERM);
	EXPECT(chmod(folder_path, 0710) == 0);
	EXPECT(user_folder_open(folder_path) == -1);
	EXPECT(errno == EPERM);
	EXPECT(chmod(folder_path, 0700) == 0);
	if (geteuid() == 0) {
		EXPECT(chown(folder_path, 65534, 65534) == 0);
		EXPECT(user_folder_open(folder_path) == -1);
		EXPECT(errno == EPERM);
	}
	unlink(link_path);
	rmdir(folder_path);
	EXPECT(user_folder_open(folder_path) == -1);
	EXPECT(errno == ENOENT);
	rmdir(work);
}

/* The name that this process looks for. */
static void find_name(void)
{
	char text[1024] = "";
	struct stat space;
	int file = open("/proc/self/stat", O_RDONLY);
	const char *at;

	EXPECT(read(file, text, sizeof(text) - 1) > 0);
	close(file);
	at = strrchr(text, ')') + 2;
	for (int i = 0; i < 19; i++)
		at = strchr(at, ' ') + 1;
	stat("/proc/self/ns/pid", &space);
	control_file_name(name, (long)getpid(), strtoull(at, NULL, 10), space.st_ino);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
}

int main(void)
{
	EXPECT(!duty->prepare());
	pomp_process.settings.control = true;
	EXPECT(duty->prepare());
	directory = user_folder_make(folder, "");
	EXPECT(directory >= 0);
	find_name();
	EXPECT(!duty->is_due(0));
	signal(SIGXFSZ, SIG_DFL);
	requests_are_answered();
	damaged_ones_are_refused();
	others_are_left_alone();
	changes_in_between();
	locked_folder();
	no_room();
	folders_are_checked();
	return 0;
}
