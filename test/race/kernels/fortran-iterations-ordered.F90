! SPDX-License-Identifier: BSD-3-Clause
! iterations: an ordered region appends to a list, and one iteration reads its length outside.
! The fixed one reads inside.
program in_order
  implicit none
  integer, parameter :: n = 300, at = 140
  integer :: list(n), length, seen, i

  length = 0
  seen = 0
  !$omp parallel do ordered
  do i = 1, n
#ifndef FIXED
     if (i == at) seen = length ! race: read length
#endif
     !$omp ordered
#ifdef FIXED
     if (i == at) seen = length
#endif
     length = length + 1 ! race: write length
     list(length) = i
     !$omp end ordered
  end do
  if (any(list /= [(i, i = 1, n)]) .or. seen > n) stop 1
end program
