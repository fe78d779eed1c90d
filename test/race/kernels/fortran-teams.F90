! SPDX-License-Identifier: BSD-3-Clause
! teams: teams of a league add to one variable in a distribute loop.
! It is shared by the teams (OpenMP 5.2, 10.2). The fixed construct has a reduction clause.
#ifdef FIXED
#define TOTAL reduction(+: total)
#else
#define TOTAL shared(total)
#endif
program league
  implicit none
  integer :: total, i

  total = 0
  !$omp teams distribute num_teams(4) TOTAL
  do i = 1, 200
     total = total + i ! race: write total
  end do
  !$omp end teams distribute
  if (total /= 20100) stop 1
end program
