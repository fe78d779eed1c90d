! SPDX-License-Identifier: BSD-3-Clause
! worksharing: array assignments in a workshare construct with nowait, read by the next construct.
! Statements of one workshare are ordered; what follows the construct is not, with nowait (OpenMP
! 5.2, 11.4). The fixed one has the barrier.
#ifdef FIXED
#define END_SHARE end workshare
#else
#define END_SHARE end workshare nowait
#endif
program share
  implicit none
  integer :: a(300), b(300), i

  b = 0
  !$omp parallel
  !$omp workshare
  a = 3 ! race: write a
  a = a + 4 ! race: write a
  !$omp END_SHARE
  !$omp do schedule(static, 7)
  do i = 1, 300
     b(i) = a(301 - i) ! race: read a
  end do
  !$omp end parallel
  if (any(b /= 7)) stop 1
end program
