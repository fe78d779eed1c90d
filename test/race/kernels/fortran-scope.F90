! SPDX-License-Identifier: BSD-3-Clause
! worksharing: the result of a scope region with reduction and nowait is used at once.
! It is complete at a barrier only (OpenMP 5.2, 5.5.5 and 11.2). The fixed scope keeps its own.
#ifdef FIXED
#define END_SCOPE end scope
#else
#define END_SCOPE end scope nowait
#endif
program scopes
  use omp_lib
  implicit none
  integer :: members, wrong

  members = 0
  wrong = 0
  !$omp parallel reduction(+: wrong)
  !$omp scope reduction(+: members) ! race: write members
  members = members + 1
  !$omp END_SCOPE ! race: write members
  if (members /= omp_get_num_threads()) wrong = wrong + 1 ! race: read members
  !$omp end parallel
  if (wrong /= 0) stop 1
end program
