//! The one place that speaks to Lua's C interface: the count hook that preempts and ends scripts,
//! and the few C functions that only C can write.
//!
//! Two rules make this code sound. Lua errors and yields leave a C function by a long jump, so no
//! frame here holds a value with a destructor when it calls into Lua. And each function uses only
//! the `lua_State` that Lua handed to it, within the stack room that Lua guarantees (20 slots).
#![expect(unsafe_code, reason = "mlua's own hooks cannot end a script that catches errors")]

use std::ffi::CStr;
use std::os::raw::{c_int, c_void};

use mlua::ffi::{self, lua_Debug, lua_State};
use mlua::{Function, LightUserData, Lua, Result};

use super::clock::{self, Verdict};

/// Instructions between two looks at the clock.
const COUNT: c_int = 100;

/// The same while memory runs short: an instruction that gets none costs a full collection.
const CROWDED_COUNT: c_int = 5;

/// Its address is the error value that ends a call where it cannot be suspended.
static SENTINEL: u8 = 0;
/// Its address is what a waiting call yields.
static PENDING: u8 = 0;
/// Its address is what a preempted coroutine yields outward.
static PAUSED: u8 = 0;

/// The message of a call that was cancelled.
pub(crate) const CANCELLED: &str = "cancelled";

fn token(place: &'static u8) -> LightUserData {
    LightUserData(std::ptr::from_ref(place).cast_mut().cast::<c_void>())
}

/// The error value that ends a call where it cannot be suspended.
pub(crate) fn sentinel() -> LightUserData {
    token(&SENTINEL)
}

/// What a call that waits for a host future yields.
pub(crate) fn pending() -> LightUserData {
    token(&PENDING)
}

/// What a wrapped `coroutine.resume` yields outward for a preempted coroutine.
pub(crate) fn paused() -> LightUserData {
    token(&PAUSED)
}

unsafe extern "C-unwind" fn on_count(state: *mut lua_State, _: *mut lua_Debug) {
    // SAFETY: Lua calls the hook with a valid state and LUA_MINSTACK free slots. `clock` has
    // returned, and everything of it was dropped, before a jump can happen. A count hook may
    // yield without values (manual, lua_yieldk) if the state is yieldable.
    unsafe {
        let yieldable = ffi::lua_isyieldable(state) != 0;
        let verdict = clock::on_count(yieldable);
        if verdict == Verdict::Kill {
            note_place(state);
        }
        match verdict {
            Verdict::Go => {
                let used = ffi::lua_gc(state, ffi::LUA_GCCOUNT);
                let wanted = if clock::is_crowded(used) { CROWDED_COUNT } else { COUNT };
                if ffi::lua_gethookcount(state) != wanted {
                    ffi::lua_sethook(state, Some(on_count), ffi::LUA_MASKCOUNT, wanted);
                }
            }
            Verdict::Pause => {
                ffi::lua_yield(state, 0);
            }
            Verdict::Kill if yieldable => {
                ffi::lua_yield(state, 0);
            }
            verdict => {
                // From here every instruction looks at the clock, until this coroutine is out of
                // the place where it cannot yield. The count also marks a coroutine that dies now.
                ffi::lua_sethook(state, Some(on_count), ffi::LUA_MASKCOUNT, 1);
                if verdict == Verdict::Cancel {
                    ffi::lua_pushlstring(state, CANCELLED.as_ptr().cast(), CANCELLED.len());
                } else {
                    ffi::lua_pushlightuserdata(state, sentinel().0);
                }
                ffi::lua_error(state);
            }
        }
    }
}

/// Tells the clock which line of a script is about to end.
unsafe fn note_place(state: *mut lua_State) {
    // SAFETY: `lua_getinfo` is asked about levels that exist and fills `short_src`.
    unsafe {
        let mut ar: lua_Debug = std::mem::zeroed();
        for level in 0..8 {
            if ffi::lua_getstack(state, level, &raw mut ar) == 0
                || ffi::lua_getinfo(state, c"Sl".as_ptr(), &raw mut ar) == 0
            {
                return;
            }
            if ar.currentline > 0 {
                let name = CStr::from_ptr(ar.short_src.as_ptr()).to_string_lossy();
                clock::note_place(&name, ar.currentline);
                return;
            }
        }
    }
}

/// Sets the count hook on the main coroutine; those created from it inherit it.
pub(crate) fn install(lua: &Lua) -> Result<()> {
    // SAFETY: `state` is valid; setting a hook neither touches the stack nor raises.
    unsafe {
        lua.exec_raw((), |state| {
            ffi::lua_sethook(state, Some(on_count), ffi::LUA_MASKCOUNT, COUNT);
        })
    }
}

/// Lets the hook run at the next instruction if something is due. For host work that took long.
pub(crate) fn hurry(lua: &Lua) {
    if clock::is_due() {
        let thread = lua.current_thread();
        // SAFETY: `thread` keeps its state alive.
        unsafe { ffi::lua_sethook(thread.state(), Some(on_count), ffi::LUA_MASKCOUNT, 1) };
    }
}

/// Runs the C function in the first upvalue in its own frame, so that its errors name it and its
/// caller, and looks at the clock afterwards if the result is large.
unsafe extern "C-unwind" fn timed(state: *mut lua_State) -> c_int {
    // SAFETY: `make_timed` stored a C function; it gets the frame as Lua prepared it.
    unsafe {
        let Some(function) = ffi::lua_tocfunction(state, ffi::lua_upvalueindex(1)) else {
            return 0;
        };
        let results = function(state);
        let small = results > 0
            && ffi::lua_type(state, -1) == ffi::LUA_TSTRING
            && ffi::lua_rawlen(state, -1) < 4096;
        if !small && clock::is_due() {
            ffi::lua_sethook(state, Some(on_count), ffi::LUA_MASKCOUNT, 1);
        }
        results
    }
}

/// `timed(f)`: the C function `f` with a look at the clock.
unsafe extern "C-unwind" fn make_timed(state: *mut lua_State) -> c_int {
    // SAFETY: one value is pushed; what is no C function is given back unchanged.
    unsafe {
        ffi::lua_settop(state, 1);
        // A function with upvalues of its own would see ours instead.
        let plain = ffi::lua_getupvalue(state, 1, 1).is_null();
        if plain && ffi::lua_tocfunction(state, 1).is_some() {
            ffi::lua_pushcclosure(state, timed, 1);
        } else {
            ffi::lua_settop(state, 1);
        }
        1
    }
}

/// A message handler: the one in the first upvalue, but not for errors of the hook, which would
/// run it while hooks are off.
unsafe extern "C-unwind" fn guarded_handler(state: *mut lua_State) -> c_int {
    // SAFETY: one argument; `lua_getinfo` is asked about a level that exists.
    unsafe {
        ffi::lua_settop(state, 1);
        let mut ar: lua_Debug = std::mem::zeroed();
        let from_hook = ffi::lua_getstack(state, 0, &raw mut ar) != 0
            && ffi::lua_getinfo(state, c"n".as_ptr(), &raw mut ar) != 0
            && !ar.namewhat.is_null()
            && CStr::from_ptr(ar.namewhat) == c"hook";
        if from_hook || ffi::lua_touserdata(state, 1) == sentinel().0 {
            return 1;
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
        ffi::lua_rotate(state, 1, 1);
        ffi::lua_call(state, 1, 1);
        1
    }
}

/// `guard(handler)`: the handler for `xpcall`.
unsafe extern "C-unwind" fn make_guard(state: *mut lua_State) -> c_int {
    // SAFETY: one value in, one out.
    unsafe {
        ffi::lua_settop(state, 1);
        ffi::lua_pushcclosure(state, guarded_handler, 1);
        1
    }
}

/// `preempted(thread)`: whether the hook suspended it, not `coroutine.yield`.
unsafe extern "C-unwind" fn preempted(state: *mut lua_State) -> c_int {
    // SAFETY: the other state is only looked at, while its thread is on our stack.
    unsafe {
        let thread = ffi::lua_tothread(state, 1);
        let mut ar: lua_Debug = std::mem::zeroed();
        let yes = !thread.is_null()
            && ffi::lua_status(thread) == ffi::LUA_YIELD
            && ffi::lua_getstack(thread, 0, &raw mut ar) != 0
            && ffi::lua_getinfo(thread, c"S".as_ptr(), &raw mut ar) != 0
            && !ar.what.is_null()
            && CStr::from_ptr(ar.what) != c"C";
        ffi::lua_pushboolean(state, c_int::from(yes));
        1
    }
}

/// `poisoned(thread)`: whether it died of an error of the hook. Closing it would run its pending
/// `__close` with hooks off.
unsafe extern "C-unwind" fn poisoned(state: *mut lua_State) -> c_int {
    // SAFETY: the other state is only looked at, while its thread is on our stack.
    unsafe {
        let thread = ffi::lua_tothread(state, 1);
        let yes = !thread.is_null()
            && ffi::lua_gethookcount(thread) == 1
            && !matches!(ffi::lua_status(thread), ffi::LUA_OK | ffi::LUA_YIELD);
        ffi::lua_pushboolean(state, c_int::from(yes));
        1
    }
}

/// The C functions for the prelude, by name.
pub(crate) fn functions(lua: &Lua) -> Result<[(&'static str, Function); 4]> {
    // SAFETY: the functions keep to the calling convention of C functions, as said at each.
    unsafe {
        Ok([
            ("timed", lua.create_c_function(make_timed)?),
            ("guard", lua.create_c_function(make_guard)?),
            ("preempted", lua.create_c_function(preempted)?),
            ("poisoned", lua.create_c_function(poisoned)?),
        ])
    }
}
