! SPDX-License-Identifier: BSD-3-Clause
!
! fortran: work arrays of three elements for each thread, as columns of one array.
!
program workspace
  use omp_lib
  implicit none
#ifdef FIXED
  integer, parameter :: room = 32
#else
  integer, parameter :: room = 3
#endif
  integer, parameter :: steps = 12000000
  real, save, volatile :: work(room, 0:63)

  work = 0
!$omp parallel num_threads(2)
  call rotate(omp_get_thread_num(), steps)
!$omp end parallel
  if (work(1, 1) /= work(1, 0)) error stop 'wrong result'
contains
  subroutine rotate(me, count)
    integer, intent(in) :: me, count
    integer :: i

    do i = 1, count
       work(1, me) = work(2, me) + 1 ! sharing: false work
       work(2, me) = work(3, me) ! sharing: false work
       work(3, me) = work(1, me) * 0.5 ! sharing: false work
    end do
  end subroutine
end program
