! SPDX-License-Identifier: BSD-3-Clause
! teams on the host with a parallel region in each. flang 19 lacks distribute with other constructs in one directive.
program league
  use omp_lib
  implicit none
  integer :: times(4), inside, most

  times = 0
  inside = 0
  most = 0
  !$omp teams num_teams(4) thread_limit(2)
  times(omp_get_team_num() + 1) = times(omp_get_team_num() + 1) + 1
  !$omp parallel
  !$omp atomic
  inside = inside + 1
  !$omp critical
  most = max(most, omp_get_num_threads())
  !$omp end critical
  !$omp end parallel
  !$omp end teams
  if (sum(times) < 1 .or. any(times > 1)) stop 1
  if (most > 2 .or. inside < sum(times) .or. inside > 2 * sum(times)) stop 2
end program
