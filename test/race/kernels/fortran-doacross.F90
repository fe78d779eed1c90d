! SPDX-License-Identifier: BSD-3-Clause
! worksharing: a doacross loop waits for the iteration three before, and reads from the one
! before.
! The sink orders the iteration behind the named one only (OpenMP 5.2, 15.10.1). The fixed one
! names the one before.
#ifdef FIXED
#define WAIT_FOR sink: i - 1
#else
#define WAIT_FOR sink: i - 3
#endif
program doacross
  implicit none
  integer :: a(0:40), i

  a = 0
  !$omp parallel do ordered(1) schedule(static, 1)
  do i = 1, 40
     !$omp ordered depend(WAIT_FOR)
     a(i) = a(i - 1) + i ! race: write a; race: read a
     !$omp ordered depend(source)
  end do
  if (a(40) /= 820) stop 1
end program
