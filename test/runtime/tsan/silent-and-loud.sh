#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# silent-and-loud.sh SOUND RACY: ThreadSanitizer says nothing of SOUND and reports a race in RACY.
sound=$1
racy=$2
. "$(dirname "$0")/verdicts.sh"
export TSAN_OPTIONS="exitcode=66 halt_on_error=0 report_thread_leaks=1"

must_be_silent "$sound" "$sound"
must_report "$racy" "$racy"
