# SPDX-License-Identifier: BSD-3-Clause
# LAPACK's two-stage tridiagonal reduction, Fortran in fixed form whose second stage is a graph of tasks: eigenvalues of a
# matrix that are known, measured by `ompinst run`, and linked by `ompinst gfortran` and run as it is.
. "$TOP/test/real/checks.sh"

command -v gfortran >/dev/null || { echo "skip - lapack: no gfortran"; echo skip >>"$RESULTS"; exit 0; }
"$TOP/tools/fetch-source" lapack "$WORK/source"
folder=$WORK/lapack
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# The eigenvalues of this matrix are 2 - 2 cos(k pi / (n + 1)); a similarity by a reflection fills it.
cat >eigenvalues.f90 <<'END'
program eigenvalues
  implicit none
  integer, parameter :: n = 300
  double precision :: a(n, n), w(n), v(n), size(1), none(1)
  double precision, allocatable :: work(:)
  integer :: i, info

  a = 0
  do i = 1, n
    a(i, i) = 2
    if (i > 1) a(i, i - 1) = -1
    if (i < n) a(i, i + 1) = -1
    v(i) = sin(dble(i))
  end do
  v = v / sqrt(dot_product(v, v))
  a = a - 2 * spread(v, 2, n) * spread(matmul(v, a), 1, n)
  a = a - 2 * spread(matmul(a, v), 2, n) * spread(v, 1, n)
  call dsyev_2stage('N', 'L', n, a, n, w, size, -1, info)
  allocate (work(int(size(1))))
  call dsyev_2stage('N', 'L', n, a, n, w, work, int(size(1)), info)
  do i = 1, n
    v(i) = 2 - 2 * cos(i * acos(-1d0) / (n + 1))
  end do
  none = maxval(abs(w - v))
  print '(a, i0, a, l1)', 'info ', info, ', eigenvalues are right: ', none(1) < 1d-10
end program
END
src=$WORK/source/lapack/SRC
files="dsyev_2stage.f dsytrd_2stage.F dsytrd_2stage.f dsytrd_sy2sb.f dsytrd_sb2st.F dsb2st_kernels.f"
sources=
for file in $files; do
	[ ! -e "$src/$file" ] || sources="$sources $src/$file"
done
flags="-fopenmp -O2 -g"
export OMP_NUM_THREADS=2

# visited PROFILE: the tasks and the parallel region at the lines of their directives, in the procedure of that name.
visited() {
	"$PYTHON" - "$1" "$src/dsytrd_sb2st.F" <<'END'
import json, re, sys
lines = open(sys.argv[2]).read().splitlines()
places = [(m[1].lower(), number) for number, line in enumerate(lines, 1)
          for m in [re.match(r'!\$OMP (PARALLEL|TASK)\b', line)] if m]
regions = json.load(open(sys.argv[1]))['regions']
for name, line in places:
    found = [r for r in regions if r['name'] == name and abs(r['begin_line'] - line) <= 1 and
             r['file'].endswith('dsytrd_sb2st.F') and r['function'].lower().startswith('dsytrd_sb2st')]
    print(name, line, [(r['begin_line'], r['function'], r['visits']) for r in found])
    if len(found) != 1 or found[0]['visits'] == 0:
        print([(r['name'], r['file'], r['begin_line'], r.get('function')) for r in regions])
        sys.exit(1)
END
}

# shellcheck disable=SC2086
gfortran $flags -o plain eigenvalues.f90 $sources -llapack -lblas 2>build.log
# shellcheck disable=SC2086
"$OMPINST/ompinst" --strict gfortran $flags -o linked eigenvalues.f90 $sources -llapack -lblas 2>linked.log
check "lapack: the link says how Fortran is measured" grep -q 'Fortran is measured through the OpenMP runtime' linked.log
./plain >plain.out
export POMP_SUMMARY_FORMAT=json
POMP_SUMMARY=run.json "$OMPINST/ompinst" run ./plain >run.out 2>run.err
POMP_SUMMARY=linked.json ./linked >linked.out 2>linked.err
check "lapack: the eigenvalues are right" grep -q 'are right: T' plain.out
check "lapack: the same under ompinst run" cmp plain.out run.out
check "lapack: the same when linked by ompinst" cmp plain.out linked.out
check "lapack: run by ompinst, its tasks have their lines" visited run.json
check "lapack: linked by ompinst, its tasks have their lines" visited linked.json
