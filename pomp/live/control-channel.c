/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * POMP_CONTROL: looks once a second for a request of `ompinst control` (common/control-file.h), and
 * answers it. There is nothing to listen at: what is looked for is a file of this user in his
 * private folder, so another user can neither ask nor hold the program up. The child of a fork
 * looks for none. After exec, the new program does if it was asked to.
 */
#include "common/user-folder.h"
#include "control.h"
#include "last-thread.h"
#include "message-file.h"
#include "own-thread.h"
#include "process-state.h"
#include "common/control-file.h"
#include "shared/write-whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <unistd.h>

enum { PATH_SIZE = USER_FOLDER_SIZE + CONTROL_NAME_SIZE };

/* Of the waiting thread, and of the acting one while the former waits for it. */
static struct {
	uid_t user;
	char name[CONTROL_NAME_SIZE];
	char folder[USER_FOLDERS][USER_FOLDER_SIZE]; /* where it may be */
	unsigned found;                              /* in which one it is */
	char told[512];                              /* what was changed; "": nothing */
} channel;

static bool is_due(uint64_t now)
{
	char path[PATH_SIZE];
	struct stat status;

	(void)now;
	for (unsigned i = 0; i < USER_FOLDERS; i++) {
		snprintf(path, sizeof(path), "%s/%s", channel.folder[i], channel.name);
		if (lstat(path, &status) == 0 && control_is_request(&status, channel.user)) {
			channel.found = i;
			return true;
		}
	}
	return false;
}

/* Opens the request and removes its name. Returns a descriptor, or -1: it is not there (any more).
 */
static int take(int folder, struct control_file *content)
{
	const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int file = openat(folder, channel.name, flags);
	struct stat status;

	if (file < 0)
		return -1;
	if (fstat(file, &status) == 0 && control_is_request(&status, channel.user) &&
	    pread(file, content, sizeof(*content), 0) == (ssize_t)sizeof(*content) &&
	    unlinkat(folder, channel.name, 0) == 0)
		return file;
	close(file);
	return -1;
}

/* Does what the request says; `say` gets the answer's text. Returns whether it is accepted. */
static bool obey(const struct control_file *content, FILE *say)
{
	if (!control_part_is(&content->request, CONTROL_REQUEST)) {
		fputs("the request is of another version, or damaged\n", say);
		return false;
	}
	if (pomp_control_change(content->request.text, say) != 0)
		return false;
	snprintf(channel.told, sizeof(channel.told), "%.*s", (int)sizeof(channel.told) - 1,
	    content->request.text);
	return true;
}

/* Replaces what terminals obey by `with`, lines' ends by `end`. */
static void make_plain(char *text, char with, char end)
{
	for (; *text != '\0'; text++)
		if (*text == '\n')
			*text = end;
		else if ((unsigned char)*text < ' ' || *text == 127)
			*text = with;
}

/* What was printed for the answer, as far as it fits. */
static void fill_answer(struct control_part *answer, bool is_accepted, const char *text)
{
	memset(answer, 0, sizeof(*answer));
	strcpy(answer->head, is_accepted ? CONTROL_ACCEPTED : CONTROL_REFUSED);
	snprintf(answer->text, sizeof(answer->text), "%.*s", (int)sizeof(answer->text) - 1, text);
	make_plain(answer->text, '?', '\n');
}

static void act(void)
{
	struct control_file content;
	char *text = NULL;
	size_t length = 0;
	int folder = user_folder_open(channel.folder[channel.found]), file = -1;

	channel.told[0] = '\0';
	/* If the folder is locked now, it will not be in a second. */
	if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0)
		file = take(folder, &content);
	if (folder >= 0)
		close(folder);
	FILE *say = file >= 0 ? open_memstream(&text, &length) : NULL;
	if (say != NULL) {
		bool is_accepted = obey(&content, say);
		fclose(say);
		fill_answer(&content.answer, is_accepted, text != NULL ? text : "");
		struct pomp_held_limit held = pomp_hold_limit();
		/* If that fails, what is there is no answer, and ompinst says so. */
		pomp_write_whole(file, &content.answer, sizeof(content.answer),
		    offsetof(struct control_file, answer));
		pomp_release_limit(&held);
	}
	free(text);
	if (file >= 0) {
		fchmod(file, CONTROL_ANSWERED);
		close(file);
	}
}

/* One line says what was changed: whoever reads the results must know. */
static void tell(void)
{
	make_plain(channel.told, '?', ' ');
	if (channel.told[0] != '\0')
		fprintf(pomp_message_file(), "pomp: ompinst control: %s\n", channel.told);
	channel.told[0] = '\0';
}

static bool prepare(void)
{
	struct stat space;
	struct pomp_own_stat own;

	pomp_control_prepare();
	if (!pomp_process.settings.control || getauxval(AT_SECURE))
		return false;
	if (!pomp_own_stat(&own) || stat("/proc/self/ns/pid", &space) != 0) {
		fprintf(pomp_message_file(), "pomp: POMP_CONTROL=yes: has no effect, because "
					     "/proc/self cannot be read\n");
		return false;
	}
	channel.user = geteuid();
	control_file_name(channel.name, (long)pomp_process.pid, own.start, (uint64_t)space.st_ino);
	for (unsigned i = 0; i < USER_FOLDERS; i++)
		user_folder_path(channel.folder[i], "", i);
	return true;
}

const struct pomp_duty pomp_control_duty = {prepare, is_due, act, tell};
