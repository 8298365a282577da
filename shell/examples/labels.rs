//! The core from Rust: one ballot, one answer.
use fumata::{Claim, Toll};

fn main() -> Result<(), fumata::Error> {
    // From `fumata plan --epsilon 6 --delta 1e-3 --answers 6 --c`.
    let named = [0xcf6113ee15bd2a00, 0xf26dbfc4f8093180, 0xfd7e452fa63a2d40, 0xffbc2059c8eb528c, 0xfffc99c8ae558c2b, 0xffffefeec8c27407, 0xfffff00000000000];
    let claim = Claim { epsilon: [6, 1], delta: [1, 1000], alpha: 4, v: 0, u: 0x93d910e81 };
    let mut toll = Toll::new(&named, 6, &claim, None)?; // refuses a plan that is not certified
    let left = toll.reserve(1)?; // store it, durably, before the answer
    println!("answer {}, {left} answers left", toll.answer(&[40, 3], 0, 1, 0x9e3779b97f4a7c15)?);
    Ok(())
}
