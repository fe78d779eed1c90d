# SPDX-License-Identifier: BSD-3-Clause
# For tools/package and tools/release, which read it: fresh Debian systems in folders. Sets `systems` and `work`; expects
# the function `fail`.
#
#   OMPINST_SYSTEMS  where the folders package-SUITE are, which debootstrap fills and later runs copy (default:
#                    ~/.cache/ompinst/systems); one that is deleted is made again
#   OMPINST_MIRROR   the archive to install from (default: apt's)
[ "$(id -u)" = 0 ] || fail "needs root, to make systems in folders"
for program in debootstrap unshare chroot; do
	command -v $program >/dev/null || fail "$program is missing; install it as root: apt-get install debootstrap util-linux"
done
mirror=$(tools/debian-mirror) || exit 2
systems=${OMPINST_SYSTEMS-$HOME/.cache/ompinst/systems}
mkdir -p "$systems"
work=$(mktemp -d "$systems/bare.XXXXXX")
trap 'rm -rf "$work"' EXIT

# in_system FOLDER COMMAND...: as root in the system, with processes and mounts that end with the command.
in_system() {
	system=$1
	shift
	# shellcheck disable=SC2016 # the inner shell's
	unshare --mount --pid --fork --kill-child sh -c '
		mount -t proc proc "$0/proc" && mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm" &&
		exec chroot "$0" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$system" "$@"
}

# quietly WHAT COMMAND...: shows the command's output only if it fails.
quietly() {
	what=$1
	shift
	"$@" >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail "$what"; }
}

# fresh SUITE FOLDER: a system with Debian's least packages, and the folder tmp/packages for what comes from outside.
fresh() {
	base=$systems/package-$1
	if [ ! -e "$base/etc/debian_version" ]; then
		rm -rf "$base"
		echo "== debootstrap $1"
		quietly "debootstrap of $1 failed" debootstrap --variant=minbase "$1" "$work/base" "$mirror"
		mv "$work/base" "$base"
	fi
	cp -a --reflink=auto "$base" "$2"
	mkdir -p "$2/dev/shm" "$2/tmp/packages"
	[ -e /etc/resolv.conf ] && cp -L /etc/resolv.conf "$2/etc/resolv.conf"
	# No service is started, and the disk needs not be waited for.
	printf '#!/bin/sh\nexit 101\n' >"$2/usr/sbin/policy-rc.d"
	chmod 755 "$2/usr/sbin/policy-rc.d"
	echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/unsafe-io"
	quietly "apt-get update failed" in_system "$2" apt-get update -q
}
