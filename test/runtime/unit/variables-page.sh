#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# variables-page.sh PRINTER PAGE: the manual's page is what the environment table says.
# UPDATE_GOLDEN=1 rewrites the page.
if [ "$UPDATE_GOLDEN" = 1 ]; then
	exec env -i "$1" >"$2"
fi
env -i "$1" | diff "$2" - || {
	echo "$2 is out of date: run this test with UPDATE_GOLDEN=1"
	exit 1
}
