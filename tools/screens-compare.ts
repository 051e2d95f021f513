// Whether a picture shows what it showed before, as `npm run screens -- --against FOLDER` asks.
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';

/** Pixels as they stand in memory: red, green, blue, a byte each, row after row. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };
export type Difference = {
  /** Pixels that differ, and all of a picture that is longer or wider than the other. */ readonly count: number;
  /** White where both are alike, the newer picture's own colour faded; red where they differ. */ readonly drawn: Pixels;
};

/** Of 255, in one of the three colours: less is how a font is drawn, not what is drawn. */
const mostAlike = 24;
const channels = 3;
const red = [208, 0, 32] as const;

/** Compares pixel by pixel from the upper left corner. */
export function differenceOf(before: Pixels, after: Pixels): Difference {
  const [width, height] = [Math.max(before.width, after.width), Math.max(before.height, after.height)];
  const data = new Uint8Array(width * height * channels);
  let count = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [was, is] = [placeIn(before, x, y), placeIn(after, x, y)];
      const differs =
        was < 0 ||
        is < 0 ||
        [0, 1, 2].some(
          (channel) =>
            Math.abs((before.data[was + channel] ?? 0) - (after.data[is + channel] ?? 0)) > mostAlike,
        );
      if (differs) count += 1;
      // A faded picture shows where on the page the red is.
      for (let channel = 0; channel < channels; channel += 1)
        data[(y * width + x) * channels + channel] = differs
          ? (red[channel] ?? 0)
          : 191 + Math.floor((after.data[is + channel] ?? 0) / 4);
    }
  }
  return { count, drawn: { width, height, data } };
}

/** Where the pixel begins; -1 outside of the picture. */
const placeIn = ({ width, height }: Pixels, x: number, y: number): number =>
  x < width && y < height ? (y * width + x) * channels : -1;

async function pixelsOf(file: string): Promise<Pixels> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

export type Changed = {
  readonly file: string;
  /** 'new' where there is none to compare with. */ readonly pixels: number | 'new';
};

/** Of the named pictures in `out` those that differ from those in `against` by more than `most` pixels, the most changed first; draws each difference into `out`/changed. */
export async function changedSince({
  out,
  against,
  files,
  most,
}: {
  out: string;
  against: string;
  files: readonly string[];
  most: number;
}): Promise<readonly Changed[]> {
  const folder = path.join(out, 'changed');
  const changed: Changed[] = [];
  for (const file of files) {
    const earlier = path.join(against, file);
    if (
      !(await access(earlier).then(
        () => true,
        () => false,
      ))
    ) {
      changed.push({ file, pixels: 'new' });
      continue;
    }
    const { count, drawn } = differenceOf(await pixelsOf(earlier), await pixelsOf(path.join(out, file)));
    if (count <= most) continue;
    await mkdir(folder, { recursive: true });
    await sharp(drawn.data, { raw: { width: drawn.width, height: drawn.height, channels } })
      .png()
      .toFile(path.join(folder, file));
    changed.push({ file, pixels: count });
  }
  return changed.toSorted((a, b) => sizeOf(b) - sizeOf(a));
}

const sizeOf = ({ pixels }: Changed): number => (pixels === 'new' ? 0 : pixels);
