//! A curve as SVG.

use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 48.0;
const COLOURS: [&str; 2] = ["#1f6f8b", "#d1495b"];

/// Two curves over the numbers from 1.
pub fn curves(title: &str, names: &[&str; 2], values: &[[f64; 2]]) -> String {
    let all = || values.iter().flatten().copied();
    let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
    let range = (high - low).max(f64::EPSILON);
    let x = |index: usize| {
        MARGIN + (WIDTH - 2.0 * MARGIN) * index as f64 / (values.len().max(2) - 1) as f64
    };
    let y = |value: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (value - low) / range;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\">{title}, epochs 1 to {}</text>\n",
        values.len()
    );
    for (value, at) in [(low, y(low)), (high, y(high))] {
        let _ = writeln!(svg, "<text x=\"2\" y=\"{at:.1}\">{value:.4}</text>");
    }
    for (curve, (name, colour)) in names.iter().zip(COLOURS).enumerate() {
        let points: String = values
            .iter()
            .enumerate()
            .map(|(index, values)| format!("{:.1},{:.1} ", x(index), y(values[curve])))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
            points.trim_end(),
            WIDTH - 2.0 * MARGIN,
            24 + 16 * curve
        );
    }
    svg + "</svg>\n"
}
