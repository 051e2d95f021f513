// Color contrast (WCAG 2.2, relative luminance and contrast ratio).

/** WCAG contrast ratio of two `#RRGGBB` colors: 1 (identical) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/**
 * The text color for a background: white if its contrast reaches 4.5, else black, whose contrast is then
 * always at least 4.5.
 */
export const textOn = (ground: string): string =>
  contrast('#FFFFFF', ground) >= 4.5 ? '#FFFFFF' : '#000000';
