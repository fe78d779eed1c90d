/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the manual page or the bash completion of ompinst; runs during the build. Options and
 * environment variables come from the option table, so that a new row appears everywhere.
 */
#include "common/option-pages.h"
#include "control-options.h"
#include "inspect-options.h"
#include "launch-options.h"
#include "lint-options.h"
#include "machine-options.h"
#include "options.h"
#include "own-words.h"
#include "race-options.h"
#include "sharing-options.h"
#include "snapshot-options.h"
#include "recorder-options.h"
#include "top-options.h"
#include "tune-options.h"

#include <stdio.h>
#include <string.h>

/* Describes `ompinst run`. */
static void print_run(void)
{
	fputs(
	    ".SH RUNNING A PROGRAM AS IT IS\n"
	    "\\fBompinst run\\fR becomes the program, with what measures it attached by\n"
	    "LD_PRELOAD and OMP_TOOL_LIBRARIES, for the programs that it starts, too: Python, R,\n"
	    "shells. They run on the bundled runtime in place of GNU's, LLVM's and Intel's, also of\n"
	    "copies under other names, and have one pool of threads. Regions are named by debug\n"
	    "information where there is some. Ranks of MPI are started by\n"
	    "\\fImpirun\\fR ... \\fBompinst run\\fR \\fIPROGRAM\\fR.\n.PP\n"
	    "One line on standard error says what is measured, or why nothing is. What cannot be\n"
	    "measured runs as it is. Process, streams and exit status are the program's own.\n"
	    ".SS Options of ompinst run\n",
	    stdout);
	troff_print_options(&launch_options_table);
}

/* Describes `ompinst race`. */
static void print_race(void)
{
	fputs(
	    ".SH FINDING DATA RACES\n"
	    "\\fBompinst race\\fR \\fICOMPILER ARGUMENT\\fR... compiles and links with ThreadSanitizer,\n"
	    "debug information and the bundled OpenMP runtime, and without the optimizations that\n"
	    "remove accesses; the source is not instrumented. It warns of races that the text of\n"
	    "C and C++ shows, as \\fBompinst lint\\fR does; \\fB\\-Wno\\-openmp\\fR and\n"
	    "\\fB\\-Wno\\-openmp\\-\\fINAME\\fR among the compiler's words switch that off.\n"
	    "\\fBompinst race run\\fR runs the\n"
	    "program several times, with other numbers of threads, schedules and orders of threads\n"
	    "and tasks, and reports each race once: the constructs around both places, why the\n"
	    "memory is shared, and how to fix it. The first run has the program's own input\n"
	    "and output. A comment \\fB/* omp race: allow: \\fIREASON\\fB */\\fR on the line of one of\n"
	    "the places, or on the one before, allows a race.\n.PP\n"
	    "The exit status is 0 without a race (and, with \\-\\-results, with equal results), 1\n"
	    "with one, 2 when it could not be found out.\n"
	    ".SS Options of ompinst race run\n",
	    stdout);
	troff_print_options(&race_options_table);
}

/* Describes `ompinst sharing`. */
static void print_sharing(void)
{
	fputs(
	    ".SH FINDING SHARED CACHE LINES\n"
	    "\\fBompinst sharing\\fR \\fICOMPILER ARGUMENT\\fR... compiles and links so that each access\n"
	    "to memory can be noted, with debug information and the bundled OpenMP runtime.\n"
	    "\\fBompinst sharing run\\fR runs the program once and reports the cache lines that several\n"
	    "threads use between two barriers, at least one of them writing: falsely shared ones,\n"
	    "where they use different bytes, and truly shared ones, with the variable, the places in\n"
	    "the source, an estimate of what that costs, and how to fix it.\n.PP\n"
	    "The exit status is 0 if nothing was found, 1 with a finding, 2 when it could not be\n"
	    "found out.\n"
	    ".SS Options of ompinst sharing run\n",
	    stdout);
	troff_print_options(&sharing_options_table);
}

/* Describes `ompinst tune`. */
static void print_tune(void)
{
	fputs(
	    ".SH SEARCHING SETTINGS\n"
	    "\\fBompinst tune\\fR runs a program again and again, unchanged and with other variables\n"
	    "in its environment (threads, binding, waiting, schedules, malloc, huge pages), in random\n"
	    "order, until each gain is sure or surely too small, and then combines the gains. What\n"
	    "changes the output or the exit status is out. It prints a table and the environment to\n"
	    "use; \\fBompinst run \\-\\-tuned=\\fIFILE\\fR applies the settings that \\-\\-output has\n"
	    "written. The program may be started by another, as \\fImpirun\\fR.\n.PP\n"
	    "The exit status is 0 with a sure gain, 1 without one, 2 when it could not be found\n"
	    "out.\n"
	    ".SS Options of ompinst tune\n",
	    stdout);
	troff_print_options(&tune_options_table);
}

/* Describes `ompinst why` and `ompinst stacks`. */
static void print_inspect(void)
{
	fputs(
	    ".SH LOOKING AT A PROGRAM\n"
	    "\\fBompinst why\\fR prints what each thread of a process, or of a core file, waits for\n"
	    "in OpenMP, which threads have to act to end that, and deadlocks. \\fBompinst stacks\\fR\n"
	    "prints the calls of all threads as one tree, in which threads that do the same at the\n"
	    "same place are on one line. The program has to run on the bundled runtime; it stops\n"
	    "for about a second and goes on. gdb looks at it.\n.PP\n"
	    "The exit status of \\fBompinst why\\fR is 0 without a deadlock, 1 with one, that of\n"
	    "\\fBompinst stacks\\fR 0; 2 when it could not be found out.\n"
	    ".SS Options of ompinst why and ompinst stacks\n",
	    stdout);
	troff_print_options(&inspect_options_table);
}

/* Describes `ompinst top`. */
static void print_top(void)
{
	fputs(
	    ".SH WATCHING PROGRAMS\n"
	    "\\fBompinst top\\fR shows what OpenMP programs of this user do while they run: how much\n"
	    "of their threads' time is work on a processor, what the others wait for and for whom,\n"
	    "regions, locks and queued tasks. Their memory is read from outside; they are not\n"
	    "stopped and need not be prepared, but have to run on the bundled runtime. With\n"
	    "\\fIPID\\fR or \\fINAME\\fR only those processes.\n.PP\n"
	    "The exit status is 0, or 2 if there was nothing to see.\n"
	    ".SS Options of ompinst top\n",
	    stdout);
	troff_print_options(&top_options_table);
}

/* Describes `ompinst snapshot`. */
static void print_snapshot(void)
{
	fputs(".SH THE PROFILE SO FAR\n"
	      "\\fBompinst snapshot\\fR prints the profile so far of a running program that was\n"
	      "compiled by ompinst or started by \\fBompinst run\\fR, as at the program's end, or\n"
	      "what was measured in an interval. The program's memory is read from outside; it is\n"
	      "not stopped.\n.PP\n"
	      "The exit status is 0, or 2 if there is no profile.\n"
	      ".SS Options of ompinst snapshot\n",
	    stdout);
	troff_print_options(&snapshot_options_table);
}

/* Describes `ompinst trace`. */
static void print_recorder(void)
{
	fputs(
	    ".SH TRACING THE LAST SECONDS\n"
	    "\\fBompinst trace\\fR makes an OTF2 archive of the last seconds of a running program\n"
	    "that keeps them: one that was started with \\fBPOMP_TRACE_RING=64M\\fR. The program\n"
	    "goes on, is not stopped and gets no signal.\n.PP\n"
	    "The exit status is 0, or 2 if there is no trace.\n"
	    ".SS Options of ompinst trace\n",
	    stdout);
	troff_print_options(&recorder_options_table);
}

/* Describes `ompinst control`. */
static void print_control(void)
{
	fputs(
	    ".SH CHANGING SETTINGS\n"
	    "\\fBompinst control\\fR changes settings of a running program that was started with\n"
	    "\\fBPOMP_CONTROL=yes\\fR, and prints what holds then; without options it only prints\n"
	    "that. The program goes on and answers within about a second.\n.PP\n"
	    "The exit status is 0, 1 if the program refuses, 2 if there is no answer.\n"
	    ".SS Options of ompinst control\n",
	    stdout);
	troff_print_options(&control_options_table);
}

/* Describes `ompinst machine`. */
static void print_machine(void)
{
	fputs(
	    ".SH MEASURING THE MACHINE\n"
	    "\\fBompinst machine\\fR measures once what 1, 2, 4, ... processors of this machine can do\n"
	    "at the same time: the bandwidth of memory by a triad, the clock by a chain of\n"
	    "dependent instructions, and the peak of arithmetic by chains that do not depend on\n"
	    "each other. The figures are kept in \\fI~/.cache/ompinst/machine.json\\fR for\n"
	    "\\fBompreport scaling \\-\\-growth\\fR and \\fBompreport roofline\\fR.\n"
	    ".SS Options of ompinst machine\n",
	    stdout);
	troff_print_options(&machine_options_table);
}

/* Describes `ompinst lint` and its checks. */
static void print_lint(void)
{
	fputs(
	    ".SH CHECKING SOURCES\n"
	    "\\fBompinst lint\\fR reads C and C++ files, compiles nothing, and reports what is wrong\n"
	    "in their use of OpenMP. Files come with the compiler's flags after \\-\\-, or in a\n"
	    "compiler's command as it is. A comment\n"
	    "\\fB/* ompinst: allow \\fINAME\\fB */\\fR on the line or the one before switches a check\n"
	    "off there, and one as \\fB/* omp race: allow */\\fR all checks about data races;\n"
	    "\\fB\\-Wno\\-\\fINAME\\fR and \\fB\\-W\\fINAME\\fR switch it for all files.\n"
	    "These switches hold in a command that ompinst compiles with, too, where\n"
	    "\\fB\\-Wopenmp\\fR switches all default checks on; the compiler does not get them.\n"
	    ".SS Options of ompinst lint\n",
	    stdout);
	troff_print_options(&lint_options_table);
	fputs(".SS Checks\n", stdout);
	for (size_t i = 0; i < LINT_CHECK_COUNT; i++)
		printf(".TP\n\\fB%s\\fR\n%s%s.\n", lint_checks[i].name, lint_checks[i].about,
		    lint_checks[i].on ? "" : " (off by default)");
}

static void print_exit_status(void)
{
	fputs(
	    ".SH EXIT STATUS\n"
	    "The compiler's. 1 when \\-\\-strict finds something that cannot be instrumented,\n"
	    "2 for a mistake in ompinst's own options, 126 or 127 when the compiler cannot be run.\n"
	    "Of ompinst run the program's; 1 when \\-\\-strict finds that it cannot be measured.\n"
	    "Of ompinst tune 0 with a sure gain, 1 without one, 2 when it could not be found out.\n"
	    "Of ompinst why 1 with a deadlock, 0 without one, 2 when it could not be found out.\n"
	    "Of ompinst lint 0 when nothing is found, 1 when something is, 2 for a mistake or a\n"
	    "file that cannot be read.\n",
	    stdout);
}

static void print_manual(void)
{
	fputs(
	    ".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
	    ".TH OMPINST 1 \"\" \"ompinst " OMPINST_VERSION "\" \"User Commands\"\n"
	    ".SH NAME\nompinst \\- measure OpenMP programs: instrument them while compiling, or run them as "
	    "they are\n"
	    ".SH SYNOPSIS\n"
	    ".B ompinst\n[\\fIoptions\\fR] \\fICOMPILER ARGUMENT\\fR...\n.br\n"
	    ".B ompinst\n[\\fIoptions\\fR] \\fIFILE.c\\fR [\\fB\\-o\\fR \\fIOUT\\fR] "
	    "[\\fB\\-\\-\\fR \\fIARGUMENT\\fR...]\n.br\n"
	    ".B ompinst\\-gcc\n\\fIARGUMENT\\fR...\n.br\n"
	    ".B ompinst run\n[\\fIoptions\\fR] \\fIPROGRAM ARGUMENT\\fR...\n.br\n"
	    ".B ompinst race\n\\fICOMPILER ARGUMENT\\fR...\n.br\n"
	    ".B ompinst race run\n[\\fIoptions\\fR] \\fIPROGRAM ARGUMENT\\fR...\n.br\n"
	    ".B ompinst sharing\n\\fICOMPILER ARGUMENT\\fR...\n.br\n"
	    ".B ompinst sharing run\n[\\fIoptions\\fR] \\fIPROGRAM ARGUMENT\\fR...\n.br\n"
	    ".B ompinst tune\n[\\fIoptions\\fR] [\\fB\\-\\-\\fR] \\fICOMMAND ARGUMENT\\fR...\n.br\n"
	    ".B ompinst why\\fR|\\fBstacks\n[\\fIoptions\\fR] \\fIPID\\fR|\\fICORE\\fR [\\fIPROGRAM\\fR]\n.br\n"
	    ".B ompinst top\n[\\fIoptions\\fR] [\\fIPID\\fR|\\fINAME\\fR]\n.br\n"
	    ".B ompinst snapshot\n[\\fIoptions\\fR] \\fIPID\\fR|\\fINAME\\fR\n.br\n"
	    ".B ompinst trace\n[\\fIoptions\\fR] \\fIPID\\fR\n.br\n"
	    ".B ompinst control\n[\\fIoptions\\fR] \\fIPID\\fR\n.br\n"
	    ".B ompinst machine\n[\\fIoptions\\fR]\n.br\n"
	    ".B ompinst lint\n[\\fIoptions\\fR] \\fIFILE\\fR... [\\fB\\-\\-\\fR \\fIFLAG\\fR...]\n.br\n"
	    ".B ompinst lint\n[\\fIoptions\\fR] \\fICOMPILER ARGUMENT\\fR...\n"
	    ".SH DESCRIPTION\n"
	    "Put before a compiler command, ompinst compiles each C or C++ file that is compiled\n"
	    "with \\-fopenmp so that its OpenMP constructs call libpomp, which reports when the\n"
	    "program ends, and links libpomp and the bundled OpenMP runtime.\n"
	    "All other commands become the compiler unchanged.\n"
	    "Fortran is compiled as it is, and linked so that the OpenMP runtime reports its\n"
	    "constructs (put ompinst before gfortran, flang or mpif90).\n"
	    "What cannot be instrumented is compiled as it is; the compiler's messages, output\n"
	    "and exit code are those of the compiler alone.\n.PP\n"
	    "\\fBompinst\\-gcc\\fR, \\fBompinst\\-g++\\fR, \\fBompinst\\-gfortran\\fR,\n"
	    "\\fBompinst\\-clang\\fR, \\fBompinst\\-clang++\\fR, \\fBompinst\\-cc\\fR and \\fBompinst\\-c++\\fR are\n"
	    "the same in one word; a link \\fBompinst\\-\\fINAME\\fR runs the compiler \\fINAME\\fR.\n"
	    "Options then come from OMPINST_OPTIONS.\n.PP\n"
	    "For a build that insists on calling gcc, put the folder\n"
	    "\\fI" OMPINST_COMPILERS "\\fR first in PATH: there ompinst has the compilers' own\n"
	    "names, and runs the next program of that name in PATH.\n.PP\n"
	    "With a source file, ompinst writes the instrumented source to \\fIFILE.mod.c\\fR.\n"
	    "Directives in false conditionals stay as they are; flags for the preprocessor come\n"
	    "after \\-\\-.\n"
	    ".SH OPTIONS\n",
	    stdout);
	troff_print_options(&options_table);
	print_run();
	print_race();
	print_sharing();
	print_tune();
	print_inspect();
	print_top();
	print_snapshot();
	print_recorder();
	print_control();
	print_machine();
	print_lint();
	fputs(".SH ENVIRONMENT\n", stdout);
	troff_print_options(&options_variables);
	print_exit_status();
}

/*
 * Completes options, which begin with word number `first`. After the first word that is not an
 * option, completes the program's command line.
 */
static void print_program_completion(
    const char *function, int first, const struct option_table *table)
{
	printf("%s()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} i\n"
	       "\tfor ((i = %d; i < COMP_CWORD; i++)); do\n",
	    function, first);
	fputs("\t\tif [[ ${COMP_WORDS[i]} != -* && ${COMP_WORDS[i]} != = &&\n"
	      "\t\t      ${COMP_WORDS[i - 1]} != = ]]; then\n"
	      "\t\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n\t\t\treturn\n\t\tfi\n\tdone\n"
	      "\tif [[ $word == -* || $word == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then\n"
	      "\t\t_ompinst_words ",
	    stdout);
	completion_print_words(table);
	fputs("\n\telse\n"
	      "\t\tCOMPREPLY=($(compgen -c -- \"$word\") $(compgen -f -- \"$word\"))\n\tfi\n}\n",
	    stdout);
}

/* Completes files everywhere, and options before the first file. */
static void print_lint_completion(void)
{
	fputs("_ompinst_lint()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]}\n"
	      "\tif [[ $word == -* || $word == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then\n"
	      "\t\t_ompinst_words ",
	    stdout);
	completion_print_words(&lint_options_table);
	for (size_t i = 0; i < LINT_CHECK_COUNT; i++)
		printf(" -W%s -Wno-%s", lint_checks[i].name, lint_checks[i].name);
	fputs("\n\telse\n"
	      "\t\tCOMPREPLY=($(compgen -f -- \"$word\") $(compgen -c -- \"$word\"))\n\tfi\n}\n",
	    stdout);
}

/* Each command, with the function that completes its words. */
static const struct {
	const char *function;
	const struct option_table *options; /* NULL: printed elsewhere */
} completions[OWN_WORDS] = {
    [OWN_RUN] = {"_ompinst_run", &launch_options_table},
    [OWN_RACE] = {"_ompinst_race", NULL},
    [OWN_SHARING] = {"_ompinst_sharing", NULL},
    [OWN_TUNE] = {"_ompinst_tune", &tune_options_table},
    [OWN_WHY] = {"_ompinst_why", &inspect_options_table},
    [OWN_STACKS] = {"_ompinst_stacks", &inspect_options_table},
    [OWN_TOP] = {"_ompinst_top", &top_options_table},
    [OWN_SNAPSHOT] = {"_ompinst_snapshot", &snapshot_options_table},
    [OWN_TRACE] = {"_ompinst_trace", &recorder_options_table},
    [OWN_CONTROL] = {"_ompinst_control", &control_options_table},
    [OWN_LINT] = {"_ompinst_lint", NULL},
    [OWN_MACHINE] = {"_ompinst_machine", &machine_options_table},
};

/* A command whose words are a compiler's, or `run` and a program's. */
static void print_run_completion(const char *command, const struct option_table *options)
{
	char function[64];

	snprintf(function, sizeof function, "_ompinst_%s_run", command);
	print_program_completion(function, 3, options);
	printf("_ompinst_%s()\n{\n"
	       "\tif [[ $COMP_CWORD -gt 2 && ${COMP_WORDS[2]} = run ]]; then\n"
	       "\t\t%s\n\t\treturn\n\tfi\n"
	       "\tCOMPREPLY=($(compgen -W run -- \"$word\") $(compgen -c -- \"$word\"))\n}\n",
	    command, function);
}

static void print_completion(void)
{
	fputs("# SPDX-License-Identifier: BSD-3-Clause\n# bash completion for ompinst\n", stdout);
	completion_print_function("ompinst");
	for (size_t i = 0; i < OWN_WORDS; i++)
		if (completions[i].options != NULL)
			print_program_completion(
			    completions[i].function, 2, completions[i].options);
	print_run_completion("race", &race_options_table);
	print_run_completion("sharing", &sharing_options_table);
	print_lint_completion();
	fputs("_ompinst()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} i\n"
	      "\tif [[ $COMP_CWORD -gt 1 ]]; then\n\t\tcase ${COMP_WORDS[1]} in\n",
	    stdout);
	for (size_t i = 0; i < OWN_WORDS; i++)
		printf("\t\t%s) %s; return ;;\n", own_words[i], completions[i].function);
	fputs("\t\tesac\n\tfi\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tif [[ ${COMP_WORDS[i]} != -* && ${COMP_WORDS[i]} != = &&\n"
	      "\t\t      ${COMP_WORDS[i - 1]} != = ]]; then\n"
	      "\t\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n\t\t\treturn\n\t\tfi\n\tdone\n"
	      "\tif [[ $word == -* || $word == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then\n"
	      "\t\t_ompinst_words ",
	    stdout);
	completion_print_words(&options_table);
	fputs("\n\telse\n\t\tCOMPREPLY=($(compgen -W '", stdout);
	for (size_t i = 0; i < OWN_WORDS; i++)
		printf("%s%s", i > 0 ? " " : "", own_words[i]);
	fputs("' -- \"$word\") $(compgen -c -- \"$word\")\n"
	      "\t\t\t$(compgen -f -- \"$word\"))\n\tfi\n}\n"
	      "complete -o filenames -F _ompinst ompinst\n",
	    stdout);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "manual") == 0)
		print_manual();
	else if (argc == 2 && strcmp(argv[1], "completion") == 0)
		print_completion();
	else
		return 2;
	return ferror(stdout) != 0 || fflush(stdout) != 0;
}
