! SPDX-License-Identifier: BSD-3-Clause
! worksharing: each iteration of a parallel do reads what the one before it writes.
! Iterations may be executed by different threads, without any order among them (OpenMP 5.2,
! 11.5). The fixed loop reads from another array.
program neighbour
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), before(n), i

  before = 1
  a = 1
  !$omp parallel do
  do i = 2, n
#ifdef FIXED
     a(i) = before(i - 1) + 1
#else
     a(i) = a(i - 1) + 1 ! race: write a; race: read a
#endif
  end do
#ifdef FIXED
  if (any(a(2:) /= 2)) stop 1
#else
  if (a(n) /= n) stop 1
#endif
end program
