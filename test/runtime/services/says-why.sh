#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# says-why.sh FOLDER: of the runtime's object files only those named here can end the process.
#
# rt_fatal() aborts with a reason; the others exit where OpenMP or OpenACC ask for it, after
# a line that says so. A new way to end the process belongs into rt_fatal(), or here with its reason.
# An object with precondition_failed() aborts there, with a rule; a release build has none.
folder=$1
expected='abi/device-number.c exit
abi/error.c exit
acc/acc-data.c exit
acc/host-device.c exit
base/message.c abort'
found=$(cd "$folder" && nm -A ./*.p/*.o | awk -F: '/ t precondition_failed/ { has_rule[$1] = 1 }
	/ U / { undefined[$0] = $1 }
	END { for (line in undefined) if (line !~ / abort$/ || !has_rule[undefined[line]]) print line }' |
	sed -n 's,^\./.*/\([a-z-]*\)_\(.*\)\.o: *U \(abort\|_*exit\|_Exit\|quick_exit\|__assert_fail\|raise\|kill\)$,\1/\2 \3,p' | sort)
if [ "$found" != "$expected" ]; then
	printf 'these end the process:\n%s\nexpected:\n%s\n' "$found" "$expected" >&2
	exit 1
fi
