# SPDX-License-Identifier: BSD-3-Clause
# Programs of Debian's under `ompinst run`, as they are installed: Fortran (xtb), C and C++ (FastTree, GROMACS), R with
# data.table, Octave, Python with scikit-learn and PyTorch, its threads and its ways to start processes. The results
# are those without ompinst, a line says what is measured, and the hottest parallel region has a name.
. "$TOP/test/real/checks.sh"

folder=$WORK/as-they-are
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export OMP_NUM_THREADS=2 POMP_SUMMARY_FORMAT=json OPENBLAS_NUM_THREADS=1

# has PROGRAM [COMMAND...]: the program is there, and the command succeeds; else a line that says it was skipped.
has() {
	name=$1
	program=$2
	shift 2
	if [ -z "$(command -v "$program")" ] || { [ $# != 0 ] && ! "$@" >/dev/null 2>&1; }; then
		echo "skip - $name is not installed"
		echo skip >>"$RESULTS"
		return 1
	fi
}

# same NAME COMMAND...: what the command writes to stdout does not depend on ompinst; one line says what is measured.
same() {
	name=$1
	shift
	timeout 300 "$@" >"$name.plain" 2>"$name.plain-err" || { tail -n 5 "$name.plain-err"; return 1; }
	timeout 300 "$OMPINST/ompinst" run --summary="$name.json" "$@" >"$name.measured" 2>"$name.err" || {
		echo "under ompinst run: failed"
		tail -n 5 "$name.err"
		return 1
	}
	[ -s "$name.plain" ] && cmp "$name.plain" "$name.measured" || return 1
	grep '^ompinst: ' "$name.err"
	[ "$(grep -c '^ompinst: measuring .* it runs on the bundled OpenMP runtime' "$name.err")" = 1 ] &&
		[ "$(grep -c '^ompinst: ' "$name.err")" = 1 ]
}

# named NAME: the hottest parallel region of its summary, with a name.
named() {
	"$PYTHON" "$TOP/test/real/hot_region.py" "$1.json"
}

# measures NAME COMMAND...
measures() {
	check "$1: the same results, and one line says that it is measured" same "$@"
	check "$1: the hottest region is named" named "$1"
	named "$1" 2>/dev/null | sed 's/^/    /' || true
}

if has xtb xtb; then
	# Four water molecules; the digits that do not depend on the order of additions.
	awk 'BEGIN { print 12; print "water"; for (i = 0; i < 4; i++) {
		printf "O %.3f %.3f 0.1\nH %.3f %.3f 0.6\nH %.3f %.3f -0.5\n", 3 * (i % 2), 2.9 * int(i / 2),
		3 * (i % 2) + 0.76, 2.9 * int(i / 2), 3 * (i % 2) - 0.6, 2.9 * int(i / 2) + 0.3 } }' >water.xyz
	cat >energies <<-'SCRIPT'
		#!/bin/sh
		xtb water.xyz --gfn 2 | sed -n 's/.*| TOTAL ENERGY  *\(-[0-9]*\.[0-9]\{7\}\).*/\1/p;
			s/.*| HOMO-LUMO GAP  *\([0-9]*\.[0-9]\{2\}\).*/\1/p'
	SCRIPT
	chmod +x energies
	measures xtb ./energies
fi

if has FastTree fasttreeMP; then
	"$PYTHON" "$TOP/test/real/alignment.py" 120 300 >in.fa
	measures fasttree fasttreeMP -nt -quiet in.fa
fi

if has "data.table for R" R sh -c 'echo "library(data.table)" | R --no-save -q -s'; then
	cat >table.R <<-'SCRIPT'
		suppressMessages(library(data.table))
		setDTthreads(2)
		set.seed(1)
		n <- 2e6
		d <- data.table(a = sample(1e5, n, TRUE), b = runif(n))
		r <- d[, .(s = sum(b)), by = a]
		setkey(r, a)
		cat(sprintf("%.6f %d\n", sum(r$s * r$a), nrow(r)))
		fwrite(d[1:100000], "table.csv")
		cat(sprintf("%.6f\n", sum(fread("table.csv")$b)))
	SCRIPT
	measures r R --no-save -q -s -f table.R
fi

# Octave's own code has no regions, the library that multiplies its matrices has: that of libopenblas0-openmp, whose
# folder OPENBLAS can name, and which need not be the one in use.
blas=$(ls -d "${OPENBLAS-/none}" /usr/lib/*/openblas-openmp 2>/dev/null | head -n 1)
if has "octave with OpenBLAS for OpenMP" octave-cli test -n "$blas"; then
	cat >matrix.m <<-'SCRIPT'
		rand("seed", 3); A = rand(600); B = A * A'; printf("%.6f\n", trace(B));
	SCRIPT
	measures octave env -u OPENBLAS_NUM_THREADS LD_LIBRARY_PATH="$blas" octave-cli -q matrix.m
fi

if has scikit-learn "$PYTHON" "$PYTHON" -c 'import sklearn'; then
	cat >learn.py <<-'SCRIPT'
		import numpy
		from sklearn.cluster import KMeans
		from sklearn.ensemble import HistGradientBoostingClassifier
		x = numpy.random.RandomState(0).rand(20000, 10)
		print("%.6f" % KMeans(8, n_init=2, random_state=1).fit(x).inertia_)
		y = (x[:, 0] + x[:, 1] > 1).astype(int)
		print("%.6f" % HistGradientBoostingClassifier(max_iter=30, random_state=0).fit(x, y).score(x, y))
	SCRIPT
	measures sklearn "$PYTHON" learn.py
	cat >threads.py <<-'SCRIPT'
		import threading
		import numpy
		from sklearn.cluster import KMeans
		found = {}
		def work(n):
		    x = numpy.random.RandomState(n).rand(3000, 5)
		    found[n] = round(KMeans(4, n_init=1, random_state=1).fit(x).inertia_, 6)
		threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
		for thread in threads:
		    thread.start()
		for thread in threads:
		    thread.join()
		print(sorted(found.items()))
	SCRIPT
	measures threads "$PYTHON" threads.py
	cat >processes.py <<-'SCRIPT'
		import multiprocessing
		import sys
		def work(n):
		    import numpy
		    from sklearn.cluster import KMeans
		    x = numpy.random.RandomState(n).rand(3000, 5)
		    return round(KMeans(4, n_init=1, random_state=1).fit(x).inertia_, 6)
		if __name__ == '__main__':
		    if len(sys.argv) > 2:
		        print(work(9))
		    pool = multiprocessing.get_context(sys.argv[1]).Pool(2)
		    print(pool.map(work, [1, 2, 3], chunksize=1))
		    pool.close()
		    pool.join()
	SCRIPT
	for way in fork spawn forkserver; do
		check "Python's processes by $way: the same results" same "$way" "$PYTHON" processes.py "$way"
		check "Python's processes by $way: their regions" named "$way"
	done
	# GNU's runtime does not end here: its threads are not there in the child.
	check "Python's processes behind regions of the parent's: the results of the others" sh -c '
		timeout 100 "$0" run --quiet --summary=off "$1" processes.py fork after >after &&
		tail -n 1 after | cmp - fork.plain' "$OMPINST/ompinst" "$PYTHON"
fi

if has PyTorch "$PYTHON" "$PYTHON" -c 'import torch'; then
	cat >tensors.py <<-'SCRIPT'
		import torch
		torch.manual_seed(0)
		x = torch.rand(500, 500)
		print(torch.get_num_threads(), "%.4f" % (x @ x).softmax(1).sum().item())
		print("%.3f" % torch.nn.functional.relu(torch.rand(2000, 1000) - 0.5).exp().sum().item())
	SCRIPT
	measures torch "$PYTHON" tensors.py
fi

if has GROMACS gmx; then
	cat >topol.top <<-'SCRIPT'
		#include "oplsaa.ff/forcefield.itp"
		#include "oplsaa.ff/spce.itp"
		[ system ]
		water
		[ molecules ]
	SCRIPT
	cat >md.mdp <<-'SCRIPT'
		integrator = md
		nsteps = 100
		dt = 0.001
		nstenergy = 10
		coulombtype = PME
		rcoulomb = 0.7
		rvdw = 0.7
		gen_vel = yes
		gen_seed = 7
		nstlist = 10
	SCRIPT
	cat >simulate <<-'SCRIPT'
		#!/bin/sh
		rm -f run.*
		gmx -quiet mdrun -s md.tpr -deffnm run -ntmpi 1 -ntomp 2 -reprod >run.out 2>&1 || exit
		printf 'Potential\nTotal-Energy\n\n' | gmx -quiet energy -f run.edr -o run.xvg >/dev/null 2>&1
		grep -v '^[#@]' run.xvg
	SCRIPT
	chmod +x simulate
	{ gmx -quiet solvate -cs spc216 -box 2.2 2.2 2.2 -o water.gro -p topol.top &&
		gmx -quiet grompp -f md.mdp -c water.gro -p topol.top -o md.tpr -maxwarn 5; } >prepare.log 2>&1
	# The line stands in the file that the script makes of gmx's standard error.
	check "gromacs: the same energies to the last digit" sh -c '
		./simulate >plain && "$0" run --quiet --summary=gromacs.json ./simulate >measured && cmp plain measured &&
		[ "$(wc -l <plain)" -gt 5 ]' "$OMPINST/ompinst"
	check "gromacs: the hottest region is named" named gromacs
	named gromacs 2>/dev/null | sed 's/^/    /' || true
fi
