! SPDX-License-Identifier: BSD-3-Clause
! iterations: one iteration of a parallel do writes the element of the next one.
! Iterations are concurrent whichever threads execute them (OpenMP 5.2, 11.5). The fixed one writes its
! own only.
program pair
  implicit none
  integer, parameter :: n = 1000, at = 58
  integer :: a(n + 1), i

  a = 0
  !$omp parallel do
  do i = 1, n
     a(i) = 2 * i ! race: write a
#ifndef FIXED
     if (i == at) a(i + 1) = 1 ! race: write a
#endif
  end do
  if (any(a(1:n) /= [(2 * i, i = 1, n)])) stop 1
end program
