! SPDX-License-Identifier: BSD-3-Clause
! data: the index of the last positive element is needed behind the loop.
! All threads write the shared variable, in any order. The fixed one computes the maximum of the
! indices by a reduction (OpenMP 5.2, 5.5.8).
program last_positive
  implicit none
  integer :: values(500), i, last

  do i = 1, 500
     values(i) = modulo(i, 3) - 1
  end do
  last = 0
#ifdef FIXED
  !$omp parallel do reduction(max: last)
#else
  !$omp parallel do
#endif
  do i = 1, 500
     if (values(i) > 0) last = i ! race: write last
  end do
  if (last /= 500) stop 1
end program
