! SPDX-License-Identifier: BSD-3-Clause
! task: a task uses a local array of a subroutine that has returned.
module gates
   integer :: gate = 0, total = 0
contains
   subroutine open_gate()
      !$omp atomic write
      gate = 1
   end subroutine open_gate

   subroutine wait_for_gate()
      integer :: is_open

      do
         !$omp atomic read
         is_open = gate
         if (is_open /= 0) exit
      end do
   end subroutine wait_for_gate

   subroutine start(number)
      integer, intent(in) :: number
      integer :: values(4) ! memory: declared

      values = number
      !$omp task shared(values)
      call wait_for_gate()
      total = values(2) ! memory: read
      !$omp end task
#ifdef FIXED
      call open_gate()
      !$omp taskwait
#endif
   end subroutine start
end module gates

program main
   use gates
   implicit none

   !$omp parallel num_threads(2)
   !$omp single
   call start(3)
   call open_gate()
   !$omp end single
   !$omp end parallel
end program main
