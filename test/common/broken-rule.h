/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests of preconditions: breaks the rule of a function in a child process, which has to end by
 * CHECK() with the rule on stderr. A release build checks no rule; such a test is then skipped.
 */
#ifndef BROKEN_RULE_H
#define BROKEN_RULE_H
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct broken_rule {
	const char *said; /* "function(): the rule" */
	void (*break_it)(void);
};

static inline bool broken_rule_is_found(const struct broken_rule *rule)
{
	char said[512] = "";
	int ends[2], status = 0;

	if (pipe(ends) != 0)
		return false;
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		dup2(ends[1], STDERR_FILENO);
		rule->break_it();
		_exit(0);
	}
	close(ends[1]);
	ssize_t length = read(ends[0], said, sizeof(said) - 1);
	close(ends[0]);
	if (child > 0 && waitpid(child, &status, 0) == child && length > 0 && WIFSIGNALED(status) &&
	    WTERMSIG(status) == SIGABRT && strstr(said, rule->said) != NULL)
		return true;
	fprintf(
	    stderr, "expected '%s', found status %#x, '%s'\n", rule->said, (unsigned)status, said);
	return false;
}

/* The result of main(). */
static inline int broken_rules_are_found(const struct broken_rule *rules, size_t count)
{
	int missed = 0;

#ifdef NDEBUG
	return 77;
#endif
	for (size_t i = 0; i < count; i++)
		missed += !broken_rule_is_found(&rules[i]);
	return missed != 0;
}
#endif
