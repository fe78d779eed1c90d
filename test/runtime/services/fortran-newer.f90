! SPDX-License-Identifier: BSD-3-Clause
! Routines that the omp_lib of gfortran 15 to 17 has, declared as it declares them, so that any gfortran can build
! this. Stops with 1 and a line on standard error when a check fails.
module newer
  use, intrinsic :: iso_c_binding
  implicit none

  integer, parameter :: invalid_device = -4, initial_device = -1
  integer(c_intptr_t), parameter :: interop_none = 0

  interface
    integer(c_int) function omp_get_device_from_uid(uid)
      import :: c_int
      character, intent(in) :: uid(*)
    end function
    function omp_get_uid_from_device(device_num)
      import :: c_int32_t
      character(:), pointer :: omp_get_uid_from_device
      integer(c_int32_t), intent(in), value :: device_num
    end function
    function omp_get_uid_from_device_8(device_num)
      import :: c_int64_t
      character(:), pointer :: omp_get_uid_from_device_8
      integer(c_int64_t), intent(in), value :: device_num
    end function
    function omp_get_interop_str(interop, property_id, ret_code)
      import :: c_intptr_t, c_int
      character(:), pointer :: omp_get_interop_str
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: property_id
      integer(c_int), optional, intent(out) :: ret_code
    end function
    function omp_get_interop_name(interop, property_id)
      import :: c_intptr_t, c_int
      character(:), pointer :: omp_get_interop_name
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: property_id
    end function
    function omp_get_interop_type_desc(interop, property_id)
      import :: c_intptr_t, c_int
      character(:), pointer :: omp_get_interop_type_desc
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: property_id
    end function
    function omp_get_interop_rc_desc(interop, ret_code)
      import :: c_intptr_t, c_int
      character(:), pointer :: omp_get_interop_rc_desc
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: ret_code
    end function
    integer(c_intptr_t) function omp_get_interop_int(interop, property_id, ret_code) bind(c)
      import :: c_intptr_t, c_int
      integer(c_intptr_t), intent(in), value :: interop
      integer(c_int), value :: property_id
      integer(c_int), optional, intent(out) :: ret_code
    end function
    type(c_ptr) function omp_target_memset(ptr, val, count, device_num) bind(c)
      import :: c_ptr, c_int, c_size_t
      type(c_ptr), value :: ptr
      integer(c_int), value :: val, device_num
      integer(c_size_t), value :: count
    end function
    subroutine omp_get_device_distances(ndevs, devs, distances) bind(c)
      import :: c_int
      integer(c_int), value, intent(in) :: ndevs
      integer(c_int), intent(in) :: devs(ndevs)
      integer(c_int), intent(out) :: distances(ndevs)
    end subroutine
    integer(4) function omp_get_supported_active_team_dims(device_num, native_support)
      integer(4), intent(in) :: device_num
      logical(4), intent(in) :: native_support
    end function
    integer(c_int) function omp_control_tool(command, modifier)
      import :: c_int
      integer(4) :: command, modifier
    end function
    integer(c_int) function omp_control_tool_8(command, modifier)
      import :: c_int
      integer(4) :: command
      integer(8) :: modifier
    end function
    subroutine omp_set_device_num_teams(num_teams, device_num)
      integer, intent(in) :: num_teams, device_num
    end subroutine
    integer function omp_get_device_num_teams(device_num)
      integer, intent(in) :: device_num
    end function
  end interface
end module

program fortran_newer
  use newer
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer :: failures = 0

  call names_of_devices()
  call interop()
  call others()
  if (failures > 0) error stop 1

contains

  subroutine check(held, what)
    logical, intent(in) :: held
    character(len=*), intent(in) :: what
    if (held) return
    write (error_unit, '(2a)') 'expected to hold: ', what
    failures = failures + 1
  end subroutine

  subroutine names_of_devices()
    character(:), pointer :: uid
    character(len=30) :: padded
    uid => omp_get_uid_from_device(initial_device)
    call check(associated(uid), 'the host has a name')
    if (.not. associated(uid)) return
    call check(uid == 'OMP_INITIAL_DEVICE' .and. len(uid) == 18, 'the name and its length')
    call check(omp_get_device_from_uid(uid) == initial_device, 'the name is the host''s')
    padded = uid
    call check(omp_get_device_from_uid(padded) == initial_device, 'the name with blanks behind it')
    call check(omp_get_device_from_uid('none') == invalid_device, 'another name')
    uid => omp_get_uid_from_device_8(0_8)
    call check(associated(uid), 'the host has a name for a number of eight bytes')
    uid => omp_get_uid_from_device(5)
    call check(.not. associated(uid), 'what is no device has no name')
  end subroutine

  subroutine interop()
    character(:), pointer :: text
    integer(c_int) :: code
    code = 99
    text => omp_get_interop_str(interop_none, -4, code)
    call check(.not. associated(text) .and. code == -1, 'no property of omp_interop_none')
    text => omp_get_interop_str(interop_none, -4)
    call check(.not. associated(text), 'the same without ret_code')
    code = 99
    call check(omp_get_interop_int(interop_none, 1, code) == 0 .and. code == -2, 'no such property')
    text => omp_get_interop_name(interop_none, -4)
    call check(associated(text), 'the property has a name')
    if (associated(text)) call check(text == 'vendor_name' .and. len(text) == 11, 'vendor_name')
    text => omp_get_interop_type_desc(interop_none, -4)
    call check(.not. associated(text), 'no type of a property of omp_interop_none')
    text => omp_get_interop_rc_desc(interop_none, -1)
    call check(associated(text), 'the result has a text')
    if (associated(text)) call check(len(text) > 0, 'which is not empty')
  end subroutine

  subroutine others()
    integer(c_signed_char), target :: bytes(8) = 1
    integer(c_int) :: distances(3)
    type(c_ptr) :: result
    result = omp_target_memset(c_loc(bytes), 7, 4_c_size_t, 0)
    call check(c_associated(result, c_loc(bytes)), 'omp_target_memset returns the address')
    call check(all(bytes == [7, 7, 7, 7, 1, 1, 1, 1]), 'four bytes are set')
    call omp_get_device_distances(3, [0, initial_device, 4], distances)
    call check(all(distances == [0, 0, -1]), 'distances')
    call check(omp_get_supported_active_team_dims(0, .true.) == 1, 'one dimension')
    call check(omp_control_tool(1, 0) == -2, 'no tool')
    call check(omp_control_tool_8(1, 0_8) == -2, 'no tool, with eight bytes')
    call omp_set_device_num_teams(6, 0)
    call check(omp_get_device_num_teams(initial_device) == 6, 'teams of the host')
    call check(omp_get_device_num_teams(7) == 0, 'teams of no device')
  end subroutine
end program
