/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error at(execution): severity(warning) prints its message and continues, severity(fatal) prints
 * it and ends the program with a failure. OpenMP 5.1, 2.5.4.
 */
#include <sys/wait.h>

#include "check.h"

static void say(int fatal)
{
	if (fatal) {
#pragma omp error at(execution) severity(fatal) message("the sky has fallen")
	} else {
#pragma omp error at(execution) severity(warning) message("clouds ahead")
#pragma omp error at(execution) severity(warning)
	}
}

/* Runs say() in a child and collects what it prints; returns the child's wait status. */
static int spoken(int fatal, char *text, size_t size)
{
	int ends[2];
	int status = -1;
	size_t length = 0;
	ssize_t got;
	pid_t child;

	CHECK_EQUAL(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		say(fatal);
		_exit(0);
	}
	close(ends[1]);
	while (length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0)
		length += (size_t)got;
	text[length] = '\0';
	close(ends[0]);
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	return status;
}

int main(void)
{
	char text[1000];
	int status = spoken(0, text, sizeof(text));

	CHECK(WIFEXITED(status));
	CHECK_EQUAL(WEXITSTATUS(status), 0);
	CHECK(strstr(text, "clouds ahead") != NULL);
	status = spoken(1, text, sizeof(text));
	CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
	CHECK(strstr(text, "the sky has fallen") != NULL);
	return check_result();
}
