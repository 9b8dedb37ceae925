//! Renders the photographs of examples/brewery: landscapes of noise, as detailed as photographs, and nobody's property.
//!
//! `cargo run --release --example brewery-pictures` writes them anew, the same bytes every time.

use jpeg_encoder::{ColorType, Encoder};
use std::path::Path;

/// A colour with its parts from 0 to 1.
type Color = [f64; 3];

/// A number from 0 to 1 for a point of a grid.
fn hash(x: i64, y: i64, seed: u32) -> f64 {
    let mut value = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed;
    value = (value ^ value >> 16).wrapping_mul(0x7feb_352d);
    value = (value ^ value >> 15).wrapping_mul(0x846c_a68b);
    f64::from(value ^ value >> 16) / f64::from(u32::MAX)
}

/// Smooth noise from 0 to 1.
fn noise(x: f64, y: f64, seed: u32) -> f64 {
    let (left, top) = (x.floor(), y.floor());
    let smooth = |part: f64| part * part * (3.0 - 2.0 * part);
    let (across, down) = (smooth(x - left), smooth(y - top));
    let at = |dx: i64, dy: i64| hash(left as i64 + dx, top as i64 + dy, seed);
    mix(mix(at(0, 0), at(1, 0), across), mix(at(0, 1), at(1, 1), across), down)
}

/// Noise of several sizes, each half as strong as the one before.
fn clouds(x: f64, y: f64, octaves: u32, seed: u32) -> f64 {
    let octave = |number: u32| {
        let scale = f64::from(1 << number);
        noise(x * scale, y * scale, seed + number) / scale
    };
    (0..octaves).map(octave).sum::<f64>() / (2.0 - 2.0 / f64::from(1 << octaves))
}

fn mix(from: f64, to: f64, part: f64) -> f64 {
    from + (to - from) * part
}

fn blend(from: Color, to: Color, part: f64) -> Color {
    let part = part.clamp(0.0, 1.0);
    [0, 1, 2].map(|channel| mix(from[channel], to[channel], part))
}

/// An evening sky at a height from 0 (the horizon) to 1.
fn sky(x: f64, height: f64) -> Color {
    let base = blend([0.98, 0.78, 0.55], [0.29, 0.42, 0.60], height.powf(0.7));
    let cover = clouds(x * 3.0, height * 9.0, 7, 11) - 0.42;
    blend(base, [0.99, 0.90, 0.84], cover * 2.4)
}

/// The mill pond at dusk: sky, hills, the mill, and all of them in the water.
fn pond(x: f64, y: f64) -> Color {
    let above = |x: f64, height: f64| -> Color {
        let far = 0.12 + 0.10 * clouds(x * 2.0, 0.3, 6, 31);
        let near = 0.03 + 0.10 * clouds(x * 3.5 + 9.0, 0.7, 7, 41);
        let is_mill = (0.62..0.80).contains(&x) && height < 0.20;
        let is_roof = height >= 0.20 && height < 0.31 - (x - 0.71).abs() * 1.1;
        let is_window = is_mill && (x * 22.0).fract() < 0.3 && (height * 16.0).fract() > 0.55;
        let grain = clouds(x * 160.0, height * 160.0, 4, 51);
        match () {
            () if is_window => blend([0.98, 0.80, 0.42], [0.70, 0.50, 0.25], grain),
            () if is_roof => blend([0.20, 0.13, 0.12], [0.36, 0.22, 0.19], grain),
            () if is_mill => blend([0.32, 0.22, 0.19], [0.52, 0.37, 0.30], grain),
            () if height < near => blend([0.09, 0.14, 0.10], [0.24, 0.31, 0.18], grain),
            () if height < far => blend([0.26, 0.31, 0.36], [0.40, 0.42, 0.44], grain),
            () => sky(x, height),
        }
    };
    const WATER: f64 = 0.58;
    if y < WATER {
        return above(x, (WATER - y) / WATER);
    }
    let depth = (y - WATER) / (1.0 - WATER);
    let ripple = clouds(x * 18.0, 60.0 * depth.sqrt(), 6, 61) - 0.5;
    let mirrored = above(x + ripple * 0.05 * depth.sqrt(), depth * 0.8 + (ripple * 0.22).abs());
    blend(blend(mirrored, [0.10, 0.17, 0.22], 0.25 + depth * 0.4), [0.95, 0.86, 0.76], ripple * 0.5)
}

/// A field of barley below a summer sky.
fn barley(x: f64, y: f64) -> Color {
    const EDGE: f64 = 0.36;
    let edge = EDGE + 0.03 * clouds(x * 2.0, 0.1, 4, 71);
    if y < edge {
        let blue = blend([0.78, 0.87, 0.93], [0.30, 0.52, 0.78], 1.0 - y / EDGE);
        return blend(blue, [1.0, 1.0, 1.0], (clouds(x * 2.5, y * 6.0, 7, 81) - 0.45) * 3.0);
    }
    let near = (y - edge) / (1.0 - edge);
    let scale = 12.0 + 200.0 * (1.0 - near).powi(3);
    let stalk = clouds(x * scale * 3.0 + clouds(x * 9.0, y * 9.0, 4, 91) * 4.0, y * scale * 0.5, 5, 101);
    let wave = clouds(x * 5.0, near.sqrt() * 7.0, 5, 111);
    blend(blend([0.45, 0.33, 0.11], [0.93, 0.78, 0.42], stalk * 1.5 - 0.2), [0.98, 0.90, 0.62], (wave - 0.5) * 1.6)
}

/// Frost on the ice of the pond.
fn frost(x: f64, y: f64) -> Color {
    let crack = (clouds(x * 5.0, y * 5.0, 7, 121) - 0.5).abs();
    let needle = (clouds(x * 40.0 + y * 18.0, y * 40.0 - x * 10.0, 5, 131) - 0.5).abs();
    let ice = blend([0.30, 0.42, 0.50], [0.74, 0.83, 0.88], clouds(x * 3.0, y * 3.0, 7, 141));
    blend(blend(ice, [0.97, 0.98, 1.0], 1.0 - needle * 12.0), [0.12, 0.20, 0.26], 1.0 - crack * 90.0)
}

fn render(path: &Path, width: u16, height: u16, paint: fn(f64, f64) -> Color) {
    let rows = (0..u32::from(height)).flat_map(|y| {
        (0..u32::from(width)).flat_map(move |x| {
            // Equal steps to the right and down.
            let color = paint(f64::from(x) / f64::from(width), f64::from(y) / f64::from(height));
            // What a sensor adds.
            let grain = (hash(x.into(), y.into(), 7) - 0.5) * 0.02;
            color.map(|part| ((part + grain).clamp(0.0, 1.0) * 255.0).round() as u8)
        })
    });
    let pixels: Vec<u8> = rows.collect();
    let mut encoder = Encoder::new_file(path, 78).unwrap();
    encoder.set_progressive(true);
    encoder.encode(&pixels, width, height, ColorType::Rgb).unwrap();
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/brewery/content/assets/photos");
    std::fs::create_dir_all(&folder).unwrap();
    render(&folder.join("pond.jpg"), 2400, 1600, pond);
    render(&folder.join("barley.jpg"), 2000, 1333, barley);
    render(&folder.join("frost.jpg"), 2000, 1333, frost);
}
