/* SPDX-License-Identifier: BSD-3-Clause */
/* CHECK: a false condition ends the process with the place and the rule; a release does not look.
 */
#ifdef RELEASE
#define NDEBUG
#else
#undef NDEBUG
#endif
#include "shared/precondition.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int looks;

/* Not static: a release does not call it. */
bool look(bool answer);
bool look(bool answer)
{
	looks++;
	return answer;
}

enum { CHECKED_AT = __LINE__ + 4 };

static void take(int number)
{
	CHECK(look(number > 0), "the number is positive");
}

int main(void)
{
	int ends[2];
	char said[256] = "";

	take(1);
	if (pipe(ends) != 0)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		dup2(ends[1], STDERR_FILENO);
		take(0);
		_exit(0);
	}
	int status = 0;
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	close(ends[1]);
	ssize_t length = read(ends[0], said, sizeof(said) - 1);
#ifdef RELEASE
	bool is_right = looks == 0 && length == 0 && WIFEXITED(status);
#else
	char expected[256];
	snprintf(expected, sizeof(expected),
	    "precondition-test.c:%d: take(): the number is positive\n", CHECKED_AT);
	bool is_right = looks == 1 && length > 0 && WIFSIGNALED(status) &&
			WTERMSIG(status) == SIGABRT && strstr(said, expected) != NULL;
#endif
	if (!is_right)
		fprintf(stderr, "looks %d, status %#x: '%s'\n", looks, (unsigned)status, said);
	return !is_right;
}
