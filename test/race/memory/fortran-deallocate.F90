! SPDX-License-Identifier: BSD-3-Clause
! task: an array is deallocated before the task that reads it.
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
end module gates

program main
   use gates
   implicit none
   integer, pointer :: values(:)

   !$omp parallel num_threads(2)
   !$omp single
   allocate (values(10))
   values = 1
   !$omp task firstprivate(values)
   call wait_for_gate()
   total = values(5) ! memory: read
   !$omp end task
#ifdef FIXED
   call open_gate()
   !$omp taskwait
#endif
   deallocate (values) ! memory: freed
   call open_gate()
   !$omp end single
   !$omp end parallel
end program main
