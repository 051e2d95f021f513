// Makes a picture anew from what somebody sent: upright, square, small, without anything but its pixels.
import pLimit from 'p-limit';
import { longestPictureSide } from '../contract.ts';

type Sharp = (typeof import('sharp'))['default'];
let loaded: Promise<Sharp> | undefined;

/** The library comes with the first picture: a console that shows none keeps its memory. */
async function sharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: library }) => {
    library.cache(false);
    library.concurrency(1);
    // It reads many more kinds, SVG among them; whatever the bytes say, it tries these three.
    library.block({ operation: ['VipsForeignLoad'] });
    library.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] });
    return library;
  });
  return loaded;
}

/** A picture is stored as a square of so many pixels: twice what the largest place shows. */
const pictureSide = 192;
const quality = 82;

/** The picture, or why it could not be decoded. */
export type Redrawn = { readonly picture: Buffer } | { readonly problem: unknown };

async function redrawOne(library: Sharp, bytes: Buffer): Promise<Redrawn> {
  try {
    const picture = await library(bytes, { limitInputPixels: longestPictureSide ** 2, failOn: 'error' })
      .autoOrient()
      .resize(pictureSide, pictureSide, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .webp({ quality })
      .toBuffer();
    return { picture };
  } catch (problem) {
    return { problem };
  }
}

// A large picture takes 64 MB while it is decoded, so only one is decoded at a time.
const oneByOne = pLimit(1);

/** Decodes a PNG, JPEG or WebP and writes it as a WebP of {@link pictureSide} a side, upright, its middle, on white. Nothing else of the file stays: no metadata, nothing behind it. */
export function redraw(bytes: Buffer): Promise<Redrawn> {
  return oneByOne(async () => redrawOne(await sharp(), bytes));
}
