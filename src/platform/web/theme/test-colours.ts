// The perceived difference of two colors, also for color-blind users; for the tests of the palette.
// CIEDE2000: Sharma, Wu, Dalal 2005. Color blindness: Machado, Oliveira, Fernandes 2009, severity 1.0, in
// linear RGB.

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** The matrix that each kind of color vision applies to linear RGB. */
export const visions: Record<'normal' | 'protan' | 'deutan' | 'tritan', Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;

/** Linear RGB (0 to 1) of `#RRGGBB`. */
export function linear(hex: string): Triple {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function labOf(rgb: Triple): Triple {
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    rgb.map((one) => Math.min(Math.max(one, 0), 1)) as unknown as Triple,
  );
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : (t * (24389 / 27) + 16) / 116);
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** ΔE00 of two `#RRGGBB` colors with the given color vision; a difference below 2 is invisible. */
export function distance(one: string, other: string, vision: keyof typeof visions = 'normal'): number {
  return ciede2000(labOf(times(visions[vision], linear(one))), labOf(times(visions[vision], linear(other))));
}

const degrees = (radians: number): number => (radians * 180) / Math.PI;
const radians = (angle: number): number => (angle * Math.PI) / 180;

/** ΔE00 of two colors in CIELAB. */
export function ciede2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const chroma7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const g = 0.5 * (1 - Math.sqrt(chroma7 / (chroma7 + 25 ** 7)));
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (a: number, b: number): number =>
    a === 0 && b === 0 ? 0 : (degrees(Math.atan2(b, a)) + 360) % 360;
  const [h1, h2] = [hue(p1, b1), hue(p2, b2)];
  const isGrey = c1 * c2 === 0;
  const hueDifference = isGrey
    ? 0
    : Math.abs(h2 - h1) <= 180
      ? h2 - h1
      : h2 <= h1
        ? h2 - h1 + 360
        : h2 - h1 - 360;
  const [dl, dc, dh] = [l2 - l1, c2 - c1, 2 * Math.sqrt(c1 * c2) * Math.sin(radians(hueDifference / 2))];
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const h = isGrey
    ? h1 + h2
    : Math.abs(h1 - h2) <= 180
      ? (h1 + h2) / 2
      : h1 + h2 < 360
        ? (h1 + h2 + 360) / 2
        : (h1 + h2 - 360) / 2;
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const [sc, sh] = [1 + 0.045 * c, 1 + 0.015 * c * t];
  const rotation =
    -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2))));
  return Math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rotation * (dc / sc) * (dh / sh));
}

/** The smallest distance between any two of the colors, for any kind of color vision. */
export function nearest(colours: readonly string[]): number {
  const pairs = colours.flatMap((one, index) =>
    colours.slice(index + 1).map((other) => [one, other] as const),
  );
  return Math.min(
    ...pairs.flatMap(([one, other]) =>
      (Object.keys(visions) as (keyof typeof visions)[]).map((vision) => distance(one, other, vision)),
    ),
  );
}
