#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A test that this machine cannot run: skip.sh REASON
echo "$1"
exit 77
