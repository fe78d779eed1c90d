! SPDX-License-Identifier: BSD-3-Clause
! worksharing: a whole-array assignment in a parallel region, without workshare.
! Each thread of the team executes all of it (OpenMP 5.2, 11.4), and reads and writes all
! elements. In the fixed one workshare divides it.
program whole
  implicit none
  real :: grid(30, 30)

  grid = 1.0
  !$omp parallel
#ifdef FIXED
  !$omp workshare
#endif
  grid = grid * 2.0 ! race: write grid; race: read grid
#ifdef FIXED
  !$omp end workshare
#endif
  !$omp end parallel
  if (any(grid /= 2.0)) stop 1
end program
