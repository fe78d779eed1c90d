/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check [OPTION...] [HARNESS|FILE.c...]: runs harnesses and prints a line for each; exits with 1 if
 * one failed. doc/memory-model.md describes the options.
 */
#include <fnmatch.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "engine.h"

enum { LOOK = 100 }; /* what a debugger's look between two steps costs, in steps */

struct options {
	struct search_limits limits;
	const char *mutants;
	const char *sites; /* the file that lists executed operations */
	bool lists;
	bool is_deep; /* runs each harness for limits.seconds, also at random */
	/* steps of a harness in order, and then at random unless these were all orders */
	uint64_t most_steps;
	bool stops; /* stops at the first failure */
	bool prints_outcomes;
};

static const struct option long_options[] = {
    {"list", no_argument, NULL, 'l'},
    {"full", no_argument, NULL, 'f'},
    {"random", required_argument, NULL, 'n'},
    {"most", required_argument, NULL, 'M'},
    {"seed", required_argument, NULL, 's'},
    {"seconds", required_argument, NULL, 't'},
    {"deep", no_argument, NULL, 'd'},
    {"trail", required_argument, NULL, 'r'},
    {"mutants", required_argument, NULL, 'm'},
    {"sites", required_argument, NULL, 'S'},
    {"quiet", no_argument, NULL, 'q'},
    {"first", no_argument, NULL, 'F'},
    {"outcomes", no_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void print_help(void)
{
	printf(
	    "usage: check [OPTION...] [HARNESS|FILE.c...]   (names may have * and ?)\n"
	    "  --list         names the harnesses\n"
	    "  --random N     N random runs of each, instead of every order\n"
	    "  --most N       about N steps of each in order, and if that is not every order, N at random\n"
	    "  --full         every order, also those that come to the same\n"
	    "  --deep         for the seconds given every order of each, without bounds, then as long random ones\n"
	    "  --seed N       of the random runs (default 1)\n"
	    "  --seconds N    at most so many for each harness\n"
	    "  --trail TRAIL  the run that a failure named\n"
	    "  --mutants FILE operations that are weaker: address, order, order of a failure\n"
	    "  --sites FILE   lists the operations that were executed\n"
	    "  --quiet        no steps of failing runs\n"
	    "  --first        ends at the first failure\n"
	    "  --outcomes     prints the results that the harnesses noted\n");
}

static uint64_t read_number(const char *name, const char *text)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 10);

	if (*end == '\0' && end != text)
		return value;
	fprintf(stderr, "check: --%s %s: expected a number\n", name, text);
	exit(2);
}

static bool read_option(struct options *options, int option)
{
	switch (option) {
	case 'l':
		options->lists = true;
		break;
	case 'f':
		options->limits.mode = SEARCH_FULL;
		break;
	case 'n':
		options->limits.mode = SEARCH_RANDOM;
		options->limits.runs = read_number("random", optarg);
		break;
	case 'M':
		options->most_steps = read_number("most", optarg);
		break;
	case 's':
		options->limits.seed = read_number("seed", optarg);
		break;
	case 't':
		options->limits.seconds = (double)read_number("seconds", optarg);
		break;
	case 'd':
		options->is_deep = true;
		break;
	case 'r':
		options->limits.mode = SEARCH_REPLAY;
		options->limits.trail = optarg;
		break;
	case 'm':
		options->mutants = optarg;
		break;
	case 'S':
		options->sites = optarg;
		break;
	case 'q':
		report_is_quiet = true;
		break;
	case 'F':
		options->stops = true;
		break;
	case 'o':
		options->prints_outcomes = true;
		break;
	case 'h':
		print_help();
		exit(0);
	default:
		return false;
	}
	return true;
}

/* Does the name of the harness or of its file match? */
static bool is_wanted(const struct check_harness *harness, int count, char **patterns)
{
	const char *file = strrchr(harness->file, '/');

	file = file != NULL ? file + 1 : harness->file;
	if (count == 0)
		return true;
	for (int i = 0; i < count; i++)
		if (fnmatch(patterns[i], harness->name, 0) == 0 ||
		    fnmatch(patterns[i], file, 0) == 0)
			return true;
	return false;
}

static bool run_once(const struct check_harness *harness, const struct search_limits *limits,
    struct search_result *result)
{
	const char *extent = "stopped by its limit";

	*result = search_run(harness, limits);
	if (limits->mode == SEARCH_RANDOM)
		extent = "at random";
	else if (result->is_complete && harness->preemptions > 0 && !limits->ignores_bounds)
		extent = "every order within the bound";
	else if (result->is_complete)
		extent = "every order";
	printf("%-36s %s %10llu runs %9llu pruned %12llu steps  %s\n", harness->name,
	    result->has_failed ? "FAIL" : "ok  ", (unsigned long long)result->runs,
	    (unsigned long long)result->pruned, (unsigned long long)result->steps, extent);
	fflush(stdout);
	return !result->has_failed;
}

static bool run_harness(const struct check_harness *harness, const struct options *options)
{
	struct search_limits limits = options->limits;
	struct search_result result;

	limits.ignores_bounds = options->is_deep;
	limits.steps = options->most_steps / (harness->at_step != NULL ? LOOK : 1);
	if (limits.mode == SEARCH_REDUCED && harness->random_runs != 0 && !options->is_deep) {
		limits.mode = SEARCH_RANDOM;
		limits.runs = harness->random_runs;
	}
	if (!run_once(harness, &limits, &result))
		return false;
	if (!options->is_deep &&
	    (limits.steps == 0 || result.is_complete || limits.mode != SEARCH_REDUCED))
		return true;
	limits.mode = SEARCH_RANDOM;
	return run_once(harness, &limits, &result);
}

/* Makes the program's addresses the same each time, so that code that hashes them is repeatable. */
static void keep_addresses(char **argv)
{
	int now = personality(0xffffffff);

	if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0 ||
	    personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0)
		return;
	execv("/proc/self/exe", argv);
}

static void crashed(int signal)
{
	printf(
	    "%s: FAIL: signal %d\n", check_current != NULL ? check_current->name : "check", signal);
	fflush(stdout);
	_exit(1);
}

static void catch_crashes(void)
{
	static char stack[1 << 16];
	stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
	static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

	sigaltstack(&other, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

static int run_all(const struct options *options, int count, char **patterns)
{
	uint32_t found = 0, failed = 0;

	for (struct check_harness *const *harness = check_harnesses_begin;
	     harness < check_harnesses_end; harness++) {
		if (!is_wanted(*harness, count, patterns))
			continue;
		found++;
		if (options->lists)
			printf("%-36s %s\n", (*harness)->name, (*harness)->what);
		else if (!run_harness(*harness, options))
			failed++;
		if (failed > 0 && options->stops)
			break;
	}
	if (found == 0) {
		fprintf(stderr, "check: no harness has such a name; see check --list\n");
		return 2;
	}
	return failed > 0;
}

int main(int argc, char **argv)
{
	struct options options = {.limits = {.mode = SEARCH_REDUCED, .seed = 1}};
	int option, status;

	keep_addresses(argv);
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		if (!read_option(&options, option))
			return 2;
	sites_prepare(options.mutants);
	heap_prepare();
	threads_prepare();
	catch_crashes();
	status = run_all(&options, argc - optind, argv + optind);
	if (options.prints_outcomes)
		report_print_outcomes(stdout);
	if (options.sites != NULL) {
		FILE *out = fopen(options.sites, "w");

		if (out == NULL) {
			perror(options.sites);
			return 2;
		}
		sites_print_all(out);
		fclose(out);
	}
	/* Not exit(): the library's destructor would find the state of the last run. */
	fflush(NULL);
	_exit(status);
}
