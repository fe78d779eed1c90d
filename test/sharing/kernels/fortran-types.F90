! SPDX-License-Identifier: BSD-3-Clause
!
! fortran: a derived type for each thread, in an allocatable array.
!
program types
  use omp_lib
  implicit none
  type :: account
     real(8) :: gains = 0, losses = 0
#ifdef FIXED
     real(8) :: apart(16) = 0
#endif
  end type
  type(account), allocatable :: accounts(:)
  integer, parameter :: length = 32768, rounds = 1200
  real(8), save :: moves(length)
  integer :: i, round, me

  allocate (accounts(0:63))
  do i = 1, length
     moves(i) = merge(1, -1, mod(i, 3) == 0)
  end do
!$omp parallel private(round, me)
  me = omp_get_thread_num()
  do round = 1, rounds
!$omp do
     do i = 1, length
        if (moves(i) > 0) then
           accounts(me)%gains = accounts(me)%gains + moves(i) ! sharing: false accounts
        else
           accounts(me)%losses = accounts(me)%losses - moves(i) ! sharing: false accounts
        end if
     end do
!$omp end do nowait
  end do
!$omp end parallel
  if (sum(accounts%gains) + sum(accounts%losses) /= real(length, 8) * rounds) error stop 'wrong sum'
end program
