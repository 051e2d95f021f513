// Re-encodes an uploaded picture: upright, square, small, without metadata.
import pLimit from 'p-limit';
import { longestPictureSide } from '../contract.ts';

type Sharp = (typeof import('sharp'))['default'];
let loaded: Promise<Sharp> | undefined;

/** The library is loaded with the first picture, to save memory on a console without pictures. */
async function sharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: library }) => {
    library.cache(false);
    library.concurrency(1);
    // The library reads many more formats, including SVG; only these three are allowed.
    library.block({ operation: ['VipsForeignLoad'] });
    library.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] });
    return library;
  });
  return loaded;
}

/** The side of a stored picture in pixels: twice the largest size in which it is shown. */
const pictureSide = 192;
const quality = 82;

/** The picture, or the error while decoding it. */
export type Redrawn = { readonly picture: Buffer } | { readonly problem: unknown };

/** The output format: a square WebP on white, or a PNG that keeps its aspect ratio and transparency. */
export type PictureShape = 'square' | 'logo';
/** The maximum pixels of a stored logo: four times its displayed size. */
const logoSize = { width: 512, height: 128 } as const;

async function redrawOne(library: Sharp, bytes: Buffer, shape: PictureShape): Promise<Redrawn> {
  try {
    const upright = library(bytes, {
      limitInputPixels: longestPictureSide ** 2,
      failOn: 'error',
    }).autoOrient();
    const picture =
      shape === 'square'
        ? await upright
            .resize(pictureSide, pictureSide, { fit: 'cover' })
            .flatten({ background: '#ffffff' })
            .webp({ quality })
            .toBuffer()
        : await upright
            .resize({ ...logoSize, fit: 'inside', withoutEnlargement: true })
            .png()
            .toBuffer();
    return { picture };
  } catch (problem) {
    return { problem };
  }
}

// A large picture takes 64 MB while it is decoded, so pictures are decoded one at a time.
const oneByOne = pLimit(1);

/**
 * Decodes a PNG, JPEG or WebP and re-encodes it upright: the center square as a WebP of {@link pictureSide}
 * pixels a side on white, or for a logo a PNG within {@link logoSize}. Metadata and trailing data are
 * dropped.
 */
export function redraw(bytes: Buffer, shape: PictureShape): Promise<Redrawn> {
  return oneByOne(async () => redrawOne(await sharp(), bytes, shape));
}
