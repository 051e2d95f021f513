// The crop of a picture: a square within its edges.

export type Size = { readonly width: number; readonly height: number };
/** A square of a picture by its center and its side, in the picture's pixels. */
export type Crop = { readonly x: number; readonly y: number; readonly side: number };

/** The maximum zoom: the side of the largest square divided by that of the smallest. */
export const maxZoom = 4;

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

function clampCrop({ width, height }: Size, { x, y, side }: Crop): Crop {
  const half = side / 2;
  return { x: clamp(x, half, width - half), y: clamp(y, half, height - half), side };
}

/** The largest square, centered. */
export const middleCrop = ({ width, height }: Size): Crop => ({
  x: width / 2,
  y: height / 2,
  side: Math.min(width, height),
});

/** The zoom of a crop relative to the largest square: 1 to {@link maxZoom}. */
export const zoomOf = ({ width, height }: Size, { side }: Crop): number => Math.min(width, height) / side;

/** Zooms a crop around its center, as far as the edges allow. */
export const zoomed = (size: Size, crop: Crop, zoom: number): Crop =>
  clampCrop(size, { ...crop, side: Math.min(size.width, size.height) / clamp(zoom, 1, maxZoom) });

/** Moves the crop by a fraction of its side: 1 is its whole width. */
export const moved = (size: Size, crop: Crop, right: number, down: number): Crop =>
  clampCrop(size, { ...crop, x: crop.x + right * crop.side, y: crop.y + down * crop.side });
