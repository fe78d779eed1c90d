! SPDX-License-Identifier: BSD-3-Clause
! iterations: lastprivate, and one iteration reads its neighbour's result.
! The fixed one reads its own.
program last_value
  implicit none
  integer, parameter :: n = 500, at = 77
  integer :: squares(0:n), last, seen, i

  squares = 0
  seen = 0
  !$omp parallel do lastprivate(last)
  do i = 1, n
     last = i * i
#ifndef FIXED
     if (i == at) seen = squares(i - 1) ! race: read squares
#endif
     squares(i) = last ! race: write squares
  end do
  if (last /= n * n .or. seen < 0) stop 1
  if (any(squares(1:n) /= [(i * i, i = 1, n)])) stop 2
end program
