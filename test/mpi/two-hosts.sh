#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# two-hosts.sh openmpi|mpich RANKS PROGRAM [ARGUMENT...]: ranks on two hosts, which are network namespaces
# of this machine with names and addresses of their own and a cable between them.
#
# As root. All is made in a mount namespace, so nothing of it is left behind. Exits 77 where there
# cannot be such namespaces.
set -eu

if [ "${TWO_HOSTS-}" != inside ]; then
	[ "$(id -u)" = 0 ] && command -v ip >/dev/null && unshare -m -n -u true 2>/dev/null || {
		echo "network namespaces cannot be made here"
		exit 77
	}
	TWO_HOSTS=inside exec unshare -m "$0" "$@"
fi

mpi=$1
ranks=$2
shift 2
mkdir -p /run/netns
mount -t tmpfs none /run/netns
place=/run/netns/tools
mkdir "$place"
ip netns add hosta && ip netns add hostb &&
	ip link add cable netns hosta type veth peer name cable netns hostb || {
	echo "two network namespaces cannot be connected here"
	exit 77
}
ip -n hosta addr add 10.77.0.1/24 dev cable
ip -n hostb addr add 10.77.0.2/24 dev cable
for host in hosta hostb; do
	ip -n $host link set lo up
	ip -n $host link set cable up
done
printf '127.0.0.1 localhost\n10.77.0.1 hosta\n10.77.0.2 hostb\n' >"$place/hosts"
mount --bind "$place/hosts" /etc/hosts

# In place of ssh: [OPTION...] HOST COMMAND..., where the command is a line for a shell.
cat >"$place/agent" <<'AGENT'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec nsenter --net=/run/netns/$host unshare -u sh -c "hostname $host; $*"
AGENT
chmod +x "$place/agent"

case $mpi in
openmpi)
	for name in $(env | sed -n 's/^\(POMP_[A-Z_]*\|OMP_[A-Z_]*\|LD_[A-Z_]*\)=.*/\1/p'); do
		set -- -x "$name" "$@"
	done
	# Its launcher's settings as Open MPI 4 names them, and as 5 does, whose launcher is PRRTE.
	export OMPI_MCA_plm_rsh_agent="$place/agent" PRTE_MCA_plm_ssh_agent="$place/agent"
	export OMPI_MCA_oob_tcp_if_include=cable PRTE_MCA_prte_if_include=cable
	set -- mpirun.openmpi -mca btl tcp,self -mca btl_tcp_if_include cable -host "hosta:$((ranks / 2)),hostb:$((ranks - ranks / 2))" \
		-np "$ranks" "$@"
	;;
mpich)
	set -- mpirun.mpich -launcher ssh -launcher-exec "$place/agent" -iface cable \
		-hosts "hosta:$((ranks / 2)),hostb:$((ranks - ranks / 2))" -np "$ranks" "$@"
	;;
*)
	echo "two-hosts.sh: '$mpi': expected openmpi or mpich" >&2
	exit 2
	;;
esac
exec nsenter --net=/run/netns/hosta unshare -u sh -c 'hostname hosta; exec "$@"' sh "$@"
