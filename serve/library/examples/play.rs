//! A bot plays all seats of a match: play GAME BOT SEED. Prints each decision with a digest of what a network would read, then the returns.
//! rustc -O -L FOLDER play.rs, where FOLDER has the library.
use std::ffi::{CStr, CString};
use std::os::raw::c_char;
use std::ptr::null_mut;

#[link(name = "privateer")]
extern "C" {
    fn privateer_error() -> *const c_char;
    fn privateer_free(handle: i64) -> i64;
    fn privateer_game(game: *const c_char) -> i64;
    fn privateer_size(game: i64, what: i32) -> i64;
    fn privateer_action_name(game: i64, action: i32, name: *mut u8, size: *mut i64) -> i64;
    fn privateer_match(game: i64, seed: u64) -> i64;
    fn privateer_seat(game: i64) -> i64;
    fn privateer_apply(game: i64, action: i32) -> i64;
    fn privateer_mask(game: i64, mask: *mut u8, size: *mut i64) -> i64;
    fn privateer_observation(game: i64, seat: i32, observation: *mut u8, size: *mut i64) -> i64;
    fn privateer_rows(game: i64, rows: *mut u8, size: *mut i64) -> i64;
    fn privateer_returns(game: i64, returns: *mut f32, size: *mut i64) -> i64;
    fn privateer_bot(game: i64, name: *const c_char) -> i64;
    fn privateer_think(bot: i64, game: i64, seed: u64, probabilities: *mut f64, actions: *mut i64, values: *mut f64, seats: *mut i64) -> i64;
}

const OVER: i64 = -2;
const HANDLE: i64 = -10; // errors begin here
const SHORT: i64 = -14;
const SEATS: i32 = 0;

/// The result of a call, unless that is an error.
fn must(n: i64) -> i64 {
    if n <= HANDLE {
        eprintln!("play: {}", unsafe { CStr::from_ptr(privateer_error()) }.to_string_lossy());
        std::process::exit(1);
    }
    n
}

/// What a call fills a buffer with, whose size it says itself.
fn filled<T: Clone + Default>(call: impl Fn(*mut T, *mut i64) -> i64) -> Vec<T> {
    let (mut size, mut to) = (0, Vec::new());
    let mut n = call(null_mut(), &mut size);
    if n == SHORT {
        to.resize(size as usize, T::default());
        n = call(to.as_mut_ptr(), &mut size);
    }
    must(n);
    to
}

/// FNV-1a.
fn digest(parts: &[&[u8]]) -> u64 {
    parts.concat().iter().fold(0xcbf29ce484222325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (name, player, seed) = match arguments.as_slice() {
        [_, name, player, seed] => (name, player, seed),
        _ => {
            eprintln!("usage: play GAME BOT SEED");
            std::process::exit(2);
        }
    };
    let mut seed: u64 = seed.parse().expect("a seed is a number");
    let (name, player) = (CString::new(name.as_str()).unwrap(), CString::new(player.as_str()).unwrap());
    // Handles are numbers, pointers are to buffers that outlive their call, and sizes are those of the buffers.
    unsafe {
        let game = must(privateer_game(name.as_ptr()));
        let (bot, at) = (must(privateer_bot(game, player.as_ptr())), must(privateer_match(game, seed)));
        loop {
            let seat = must(privateer_seat(at));
            if seat == OVER {
                break;
            }
            let observation = filled(|to, size| privateer_observation(at, seat as i32, to, size));
            let mask = filled(|to, size| privateer_mask(at, to, size));
            let rows = filled(|to, size| privateer_rows(at, to, size));
            seed += 1;
            let action = must(privateer_think(bot, at, seed, null_mut(), null_mut(), null_mut(), null_mut())) as i32;
            let said = filled(|to, size| privateer_action_name(game, action, to, size));
            let said = CStr::from_bytes_with_nul(&said).unwrap().to_string_lossy();
            println!("{seat} {said} {:016x}", digest(&[&observation, &mask, &rows]));
            must(privateer_apply(at, action));
        }
        let returns = filled(|to, size| privateer_returns(at, to, size));
        assert_eq!(returns.len() as i64, must(privateer_size(game, SEATS)));
        for x in returns {
            println!("returns {x:.6}");
        }
        for handle in [at, bot, game] {
            must(privateer_free(handle));
        }
    }
}
