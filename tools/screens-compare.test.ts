import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { changedSince, differenceOf, type Pixels } from './screens-compare.ts';

const sheet = (
  width: number,
  height: number,
  value: number,
  more: Readonly<Record<number, number>> = {},
): Pixels => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, index) => more[index] ?? value),
});

describe('what of two pictures differs', () => {
  it.each([
    ['the same twice', sheet(4, 3, 100), sheet(4, 3, 100), 0],
    ['a shade of one colour of one pixel', sheet(4, 3, 100), sheet(4, 3, 100, { 7: 124 }), 0],
    ['one colour of one pixel', sheet(4, 3, 100), sheet(4, 3, 100, { 7: 125 }), 1],
    ['darker counts as lighter does', sheet(4, 3, 100, { 7: 125 }), sheet(4, 3, 100), 1],
    ['three colours of one pixel are one pixel', sheet(4, 3, 100), sheet(4, 3, 100, { 0: 0, 1: 0, 2: 0 }), 1],
    ['a longer page: its further rows', sheet(4, 3, 100), sheet(4, 5, 100), 8],
    ['a shorter page', sheet(4, 5, 100), sheet(4, 3, 100), 8],
    [
      'narrower and longer: what only one of them has, and what neither has',
      sheet(4, 3, 100),
      sheet(3, 4, 100),
      7,
    ],
  ])('%s', (_, before, after, count) => {
    const found = differenceOf(before, after);
    expect(found.count).toBe(count);
    expect(
      found.drawn.data.filter(
        (value, index) => index % 3 === 0 && value === 208 && found.drawn.data[index + 1] === 0,
      ),
    ).toHaveLength(count);
  });
});

describe('a folder of pictures against an earlier one', () => {
  const folders: string[] = [];
  const folder = async (pictures: Readonly<Record<string, Pixels>>): Promise<string> => {
    const made = await mkdtemp(path.join(tmpdir(), 'screens-'));
    folders.push(made);
    for (const [name, { width, height, data }] of Object.entries(pictures))
      await sharp(data, { raw: { width, height, channels: 3 } })
        .png()
        .toFile(path.join(made, name));
    return made;
  };
  afterAll(() => Promise.all(folders.map((one) => rm(one, { recursive: true }))));

  it('names what changed by more than is let pass, the most changed first, and draws it', async () => {
    const against = await folder({
      'same.png': sheet(10, 10, 30),
      'little.png': sheet(10, 10, 30),
      'more.png': sheet(10, 10, 30),
      'most.png': sheet(10, 10, 30),
    });
    const now = {
      'same.png': sheet(10, 10, 30),
      'little.png': sheet(10, 10, 30, { 0: 200 }),
      'more.png': sheet(10, 10, 30, { 0: 200, 3: 200 }),
      'most.png': sheet(10, 11, 30),
      'new.png': sheet(10, 10, 30),
    };
    const out = await folder(now);
    expect(await changedSince({ out, against, files: Object.keys(now), most: 1 })).toEqual([
      { file: 'most.png', pixels: 10 },
      { file: 'more.png', pixels: 2 },
      { file: 'new.png', pixels: 'new' },
    ]);
    expect((await readdir(path.join(out, 'changed'))).toSorted()).toEqual(['more.png', 'most.png']);
  });
});
