/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of kernel.yama.ptrace_scope: nothing where it lets the user look, else one sentence.
 */
#include "inspect-target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;

static void check(const char *content, bool is_root, const char *expected)
{
	char path[] = "/tmp/ptrace-scope-XXXXXX";
	int file = mkstemp(path);

	if (file < 0 || write(file, content, strlen(content)) != (ssize_t)strlen(content))
		exit(2);
	char *found = inspect_scope_refusal(path, is_root);
	close(file);
	unlink(path);
	if ((found == NULL) != (expected == NULL) ||
	    (found != NULL && strstr(found, expected) == NULL)) {
		failures++;
		fprintf(stderr, "scope %s, %s: %s, expected %s\n", content,
		    is_root ? "root" : "a user", found != NULL ? found : "nothing",
		    expected != NULL ? expected : "nothing");
	}
	free(found);
}

int main(void)
{
	check("0\n", false, NULL);
	check("1\n", false,
	    "this system lets only a process's parent look at it (kernel.yama.ptrace_scope is 1): "
	    "look as root, or 'sysctl");
	check("2\n", false,
	    "lets only root look at processes (kernel.yama.ptrace_scope is 2): look as root");
	check("3\n", false, "lets nobody look at processes, until it is started anew (kernel");
	check("1\n", true, NULL);
	check("2\n", true, NULL);
	check("3\n", true, "lets nobody look");
	check("?\n", false, NULL);
	char *found = inspect_scope_refusal("/nowhere/ptrace_scope", false);
	failures += found != NULL;
	free(found);
	return failures != 0;
}
