//! Fumata's proved core for Rust: labels from private votes, within a counted number of silences and answers.
//!
//! A machine is neither `Clone` nor `Copy`: a copy would spend its budget twice. Link with `libfumata`.
#![deny(missing_docs)]

use std::ffi::CStr;
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::c_char;

/// Why the core refused; see fumata(3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error(pub i32);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = unsafe { CStr::from_ptr(fumata_strerror(self.0)) };
        f.write_str(text.to_str().unwrap_or("unknown status"))
    }
}

fn check(status: i32) -> Result<(), Error> {
    if status == 0 { Ok(()) } else { Err(Error(status)) }
}

/// What a plan is said to cost: `fumata_claim` of fumata.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Claim {
    /// Epsilon, a fraction.
    pub epsilon: [u32; 2],
    /// Delta, a fraction.
    pub delta: [u64; 2],
    /// The order of the moment.
    pub alpha: u32,
    /// The price of a silence, times 2^32.
    pub v: u64,
    /// The price of an answer, times 2^32.
    pub u: u64,
}

#[repr(C)]
struct Plan {
    table: *const u64,
    size: u32,
    limit: u32,
}

#[repr(C)]
struct Machine {
    plan: Plan,
    left: u32,
    reserved: u32,
}

#[repr(C)]
#[derive(Default)]
struct Verdict {
    winner: u32,
    distance: u32,
}

#[repr(C)]
#[derive(Default)]
struct Duel {
    winner: u32,
    loser: u32,
    distance: u32,
}

const _: () = assert!(std::mem::size_of::<Claim>() == 48 && std::mem::size_of::<Duel>() == 12);

#[link(name = "fumata")]
extern "C" {
    fn fumata_version() -> u32;
    fn fumata_strerror(status: i32) -> *const c_char;
    fn fumata_meter_resume(meter: *mut Machine, plan: *const Plan, claim: *const Claim, left: u32) -> i32;
    fn fumata_meter_reserve(meter: *mut Machine, n: u32) -> i32;
    fn fumata_meter_answer(meter: *mut Machine, verdict: *const Verdict, coin: u64, answer: *mut i32) -> i32;
    fn fumata_toll_resume(toll: *mut Machine, plan: *const Plan, claim: *const Claim, left: u32) -> i32;
    fn fumata_toll_reserve(toll: *mut Machine, n: u32) -> i32;
    fn fumata_toll_answer(toll: *mut Machine, duel: *const Duel, coin: u64, answer: *mut i32) -> i32;
    fn fumata_ballot_decide(counts: *const u32, classes: u32, verdict: *mut Verdict) -> i32;
    fn fumata_ballot_duel(counts: *const u32, classes: u32, a: u32, b: u32, duel: *mut Duel) -> i32;
}

/// The version of the library that is linked: 1000000 major + 1000 minor + patch.
pub fn version() -> u32 {
    unsafe { fumata_version() }
}

fn fits(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn plan(table: &[u64], limit: u32) -> Plan {
    Plan { table: table.as_ptr(), size: fits(table.len()), limit }
}

/// Labels are free, silences are counted.
pub struct Meter<'table> {
    machine: Machine,
    table: PhantomData<&'table [u64]>,
}

impl<'table> Meter<'table> {
    /// A new life with all its silences, or with `left` of a stored one; refused unless the core certifies the plan.
    pub fn new(table: &'table [u64], limit: u32, claim: &Claim, left: Option<u32>) -> Result<Self, Error> {
        let mut begun = Machine { plan: plan(table, limit), left: 0, reserved: 0 };
        check(unsafe { fumata_meter_resume(&mut begun, &plan(table, limit), claim, left.unwrap_or(limit)) })?;
        Ok(Meter { machine: begun, table: PhantomData })
    }

    /// Pays for `n` silences; returns what is left, to be stored durably before the next answer.
    pub fn reserve(&mut self, n: u32) -> Result<u32, Error> {
        check(unsafe { fumata_meter_reserve(&mut self.machine, n) })?;
        Ok(self.machine.left)
    }

    /// The winner of these counts, or `None` for silence. The coin is 64 uniform bits, used once.
    pub fn answer(&mut self, counts: &[u32], coin: u64) -> Result<Option<u32>, Error> {
        let (mut verdict, mut answer) = (Verdict::default(), 0);
        check(unsafe { fumata_ballot_decide(counts.as_ptr(), fits(counts.len()), &mut verdict) })?;
        check(unsafe { fumata_meter_answer(&mut self.machine, &verdict, coin, &mut answer) })?;
        Ok(u32::try_from(answer).ok())
    }

    /// Silences that may still be reserved.
    pub fn left(&self) -> u32 {
        self.machine.left
    }
}

/// Every answer is paid for, and is one of two candidates.
pub struct Toll<'table> {
    machine: Machine,
    table: PhantomData<&'table [u64]>,
}

impl<'table> Toll<'table> {
    /// A new life with all its answers, or with `left` of a stored one; refused unless the core certifies the plan.
    pub fn new(table: &'table [u64], limit: u32, claim: &Claim, left: Option<u32>) -> Result<Self, Error> {
        let mut begun = Machine { plan: plan(table, limit), left: 0, reserved: 0 };
        check(unsafe { fumata_toll_resume(&mut begun, &plan(table, limit), claim, left.unwrap_or(limit)) })?;
        Ok(Toll { machine: begun, table: PhantomData })
    }

    /// Pays for `n` answers; returns what is left, to be stored durably before the next answer.
    pub fn reserve(&mut self, n: u32) -> Result<u32, Error> {
        check(unsafe { fumata_toll_reserve(&mut self.machine, n) })?;
        Ok(self.machine.left)
    }

    /// One of the two candidates a < b.
    pub fn answer(&mut self, counts: &[u32], a: u32, b: u32, coin: u64) -> Result<u32, Error> {
        let (mut duel, mut answer) = (Duel::default(), 0);
        check(unsafe { fumata_ballot_duel(counts.as_ptr(), fits(counts.len()), a, b, &mut duel) })?;
        check(unsafe { fumata_toll_answer(&mut self.machine, &duel, coin, &mut answer) })?;
        Ok(answer as u32)
    }

    /// Answers that may still be reserved.
    pub fn left(&self) -> u32 {
        self.machine.left
    }
}
