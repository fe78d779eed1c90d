! SPDX-License-Identifier: BSD-3-Clause
! teams: the teams of a league look for the largest element within a critical construct.
! It excludes the threads of one contention group only, and each team is one (OpenMP 5.2, 15.2).
! The fixed one has a reduction.
program teams_critical
  implicit none
  integer :: a(200), i, largest

  a = [(mod(i * 37, 200), i = 1, 200)]
  largest = -1
#ifdef FIXED
  !$omp teams distribute parallel do num_teams(4) num_threads(2) reduction(max : largest)
#else
  !$omp teams distribute parallel do num_teams(4) num_threads(2) shared(largest)
#endif
  do i = 1, 200
    !$omp critical (search)
    if (a(i) > largest) largest = a(i) ! race: write largest
    !$omp end critical (search)
  end do
  if (largest < 0) error stop
end program
