#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# says-why.sh FOLDER: of the runtime's object files only those named here can end the process.
#
# message.c aborts with a reason (rt_fatal); the others exit where OpenMP or OpenACC ask for it, after
# a line that says so. A new way to end the process belongs into rt_fatal(), or here with its reason.
folder=$1
expected='abi-device.c.o exit
acc-data.c.o exit
acc-device.c.o exit
life.c.o exit
message.c.o abort'
found=$(cd "$folder" && nm -A -u ./*.p/*.o | sed -n 's,^\./.*/\(.*\): *U \(abort\|_*exit\|_Exit\|quick_exit\|__assert_fail\|raise\|kill\)$,\1 \2,p' | sort)
if [ "$found" != "$expected" ]; then
	printf 'these end the process:\n%s\nexpected:\n%s\n' "$found" "$expected" >&2
	exit 1
fi
