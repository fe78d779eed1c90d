/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has a program write its latest events (POMP_TRACE_RING): a signal (POMP_TRACE_RING_SIGNAL),
 * or an interval in which its threads worked less than a bound (POMP_TRACE_RING_BELOW). Both only
 * ask; the library's own thread writes.
 *
 * The handler is installed once, when the library is loaded: one that the program installs later
 * replaces it, and may call it. What was there before is called afterwards.
 */
#include "measured-team.h"
#include "message-file.h"
#include "own-thread.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "ring-dump.h"
#include "thread-samples.h"
#include "work-samples.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As POMP_TRACE_RING_SIGNAL lists them. */
static const int signals[] = {0, SIGUSR1, SIGUSR2, SIGHUP, SIGQUIT, SIGURG, SIGWINCH};

static struct {
	_Atomic uint32_t asked; /* signals so far; relaxed: nothing belongs to it */
	struct sigaction before;

	/* The rest is of the waiting thread, and of the acting one while the former waits for it.
	 */
	uint32_t answered; /* signals */
	bool is_signal;    /* it is a signal that is answered */
	uint64_t begin;    /* of the interval; CLOCK_MONOTONIC */
	uint64_t work;     /* samples at its begin */
	uint64_t off;      /* for how long there were no samples, at its begin; ns */
	double share;      /* of the latest interval; negative: not known */
	uint64_t low;      /* intervals that were answered */
	char *path;        /* of the latest copy; heap */
	int error;         /* of the latest copy */
	bool is_written;   /* it was tried */
} triggers;

static void ask(int number, siginfo_t *info, void *context)
{
	int error = errno;

	fetch_add_relaxed(&triggers.asked, 1);
	pomp_own_thread_wake();
	errno = error;
	if (triggers.before.sa_flags & SA_SIGINFO)
		triggers.before.sa_sigaction(number, info, context);
	else if (triggers.before.sa_handler != SIG_DFL && triggers.before.sa_handler != SIG_IGN)
		triggers.before.sa_handler(number);
}

static uint64_t length_of_interval(void)
{
	uint64_t seconds = pomp_process.settings.ring_interval;

	return (seconds > 0 ? seconds : 1) * UINT64_C(1000000000);
}

static bool is_due(uint64_t now)
{
	const struct pomp_settings *settings = &pomp_process.settings;

	triggers.is_signal = load_relaxed(&triggers.asked) != triggers.answered;
	return triggers.is_signal ||
	       (settings->ring_below != 0 && triggers.low < settings->ring_most &&
		   now - triggers.begin >= length_of_interval());
}

/* Ends the interval; returns whether it was below the bound. */
static bool is_low(void)
{
	uint64_t now = pomp_clock_monotonic(), work = pomp_work_samples();
	uint64_t off = pomp_samples_off();

	triggers.share = pomp_work_share(triggers.work, work, pomp_process.settings.sampling,
	    load_relaxed(&pomp_teams.most_threads), now - triggers.begin);
	if (off != triggers.off)
		triggers.share = -1;
	triggers.begin = now;
	triggers.work = work;
	triggers.off = off;
	return triggers.share >= 0 &&
	       triggers.share * 100 < (double)pomp_process.settings.ring_below;
}

static void act(void)
{
	triggers.is_written = triggers.is_signal || is_low();
	if (!triggers.is_written)
		return;
	if (triggers.is_signal)
		triggers.answered = load_relaxed(&triggers.asked);
	else
		triggers.low++;
	triggers.error = pomp_ring_dump_numbered(&triggers.path);
}

static void tell(void)
{
	const struct pomp_settings *settings = &pomp_process.settings;
	FILE *out = pomp_message_file();

	if (!triggers.is_written)
		return;
	triggers.is_written = false;
	if (!triggers.is_signal)
		fprintf(out,
		    "pomp: threads worked %.0f %% of the last %llu s "
		    "(POMP_TRACE_RING_BELOW=%llu%%)%s\n",
		    triggers.share * 100, (unsigned long long)settings->ring_interval,
		    (unsigned long long)settings->ring_below,
		    triggers.low == settings->ring_most
			? "; this was the last trace because of that"
			: "");
	if (triggers.error == 0)
		fprintf(out,
		    "pomp: the latest events are in '%s'; `ompreport recover %s` makes a trace of "
		    "them\n",
		    triggers.path, triggers.path);
	else
		fprintf(out,
		    "pomp: the latest events were not written to '%s': %s; the program goes on\n",
		    triggers.path != NULL ? triggers.path : "pomp-traces",
		    strerror(triggers.error));
	free(triggers.path);
	triggers.path = NULL;
}

static bool install(int number)
{
	struct sigaction action = {
	    .sa_sigaction = ask, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	return sigaction(number, NULL, &triggers.before) == 0 &&
	       sigaction(number, &action, NULL) == 0;
}

/* Says which settings have no effect, and takes them back. */
static void check_settings(struct pomp_settings *settings)
{
	const char *why = settings->ring == 0 ? "without POMP_TRACE_RING no events are kept" : NULL;

	if (why != NULL && (settings->ring_signal != 0 || settings->ring_keep))
		fprintf(pomp_message_file(),
		    "pomp: POMP_TRACE_RING_%s: has no effect, because %s\n",
		    settings->ring_keep ? "KEEP" : "SIGNAL", why);
	if (why == NULL && settings->sampling == 0)
		why = "without samples (POMP_SAMPLING) it is not known how threads work";
	if (why != NULL && settings->ring_below != 0) {
		fprintf(pomp_message_file(),
		    "pomp: POMP_TRACE_RING_BELOW=%llu%%: has no effect, because %s\n",
		    (unsigned long long)settings->ring_below, why);
		settings->ring_below = 0;
	}
}

static bool prepare(void)
{
	struct pomp_settings *settings = &pomp_process.settings;

	check_settings(settings);
	if (settings->ring == 0)
		return false;
	pomp_ring_dump_prepare();
	bool has_signal = settings->ring_signal != 0 && install(signals[settings->ring_signal]);
	triggers.begin = pomp_clock_monotonic();
	return has_signal || settings->ring_below != 0;
}

const struct pomp_duty pomp_ring_duty = {prepare, is_due, act, tell};
