//! How exactly a recorded number was written.

/// A number that is compared is told apart from noise of its binary form below this.
const NOISE: f64 = 1e-9;

/// Beyond this share of itself a number of seconds or tokens is not merely rounded.
const LARGEST: f64 = 0.02;

/// Half a unit of the last decimal that `value` was written with, at least of `least` decimals.
pub(super) fn half_unit(value: f64, least: i32) -> f64 {
    let is_whole = |decimals: &i32| {
        let scaled = value * 10_f64.powi(*decimals);
        (scaled - scaled.round()).abs() <= NOISE * scaled.abs().max(1.0)
    };
    let decimals = (least..=9).find(is_whole).unwrap_or(9);
    0.5 * 10_f64.powi(-decimals) + NOISE * value.abs().max(1.0)
}

/// Whether `ours` is not what `recorded` may stand for, written with `decimals` or more.
pub(super) fn differs(recorded: f64, ours: f64, decimals: i32) -> bool {
    let room = half_unit(recorded, decimals);
    let least = 0.5 * 10_f64.powi(-4) + NOISE;
    let largest = if decimals > 0 { room } else { (recorded.abs() * LARGEST).max(least) };
    let allowed = room.min(largest);
    (recorded - ours).abs() > allowed || !ours.is_finite()
}

/// Whether `recorded` is `value` with as many decimals as it was written with, at least `decimals`.
pub(super) fn gives(recorded: f64, value: f64, decimals: i32) -> bool {
    (recorded - value).abs() <= half_unit(recorded, decimals)
}

/// Whether `recorded` is `ours` rounded more coarsely than figures of its kind are: with one
/// decimal, or to whole hundreds.
pub(super) fn is_coarse(recorded: f64, ours: f64, decimals: i32) -> bool {
    let coarsest = if decimals > 0 { 1 } else { -4 };
    let is_near = (recorded - ours).abs() <= recorded.abs() * 0.05;
    is_near && recorded != 0.0 && (recorded - ours).abs() <= half_unit(recorded, coarsest)
}
