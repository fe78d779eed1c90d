#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# stress.sh PROGRAM [OPTION...]: the stress program for one second, for five in `tools/test full` (TEST_FULL=yes).
program=$1
shift
if [ "${TEST_FULL-}" = yes ]; then seconds=5; else seconds=1; fi
exec "$program" --seconds "$seconds" "$@"
