! SPDX-License-Identifier: BSD-3-Clause
! iterations: a scatter through an index that names one element twice.
! The fixed index is a permutation.
program scatter
  implicit none
  integer, parameter :: n = 900
  integer :: position(n), target_sums(n), i

  position = [(mod(i * 7, n) + 1, i = 1, n)]
#ifndef FIXED
  position(401) = position(400)
#endif
  target_sums = 0
  !$omp parallel do default(none) shared(position, target_sums)
  do i = 1, n
     target_sums(position(i)) = target_sums(position(i)) + i ! race: write target_sums
  end do
#ifdef FIXED
  if (sum(target_sums) /= n * (n + 1) / 2) stop 1
#endif
end program
