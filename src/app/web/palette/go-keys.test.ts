import { describe, expect, it } from 'vitest';
import { roles } from '#kernel/roles.ts';
import { linksOf, menuOf } from '../../menu.ts';
import { goKeys } from './go-keys.ts';

describe('shortcuts of g and a letter (ui.md §1 Keyboard)', () => {
  it.each(roles)('%s: every page of the menu has its own letter, digit or sign', (role) => {
    const letters = linksOf(menuOf(role)).map(({ path }) => [path, goKeys[path]]);
    expect(
      letters.filter(([, letter]) => letter === undefined || !/^[a-fh-z\d,.;='`/[\]-]$/.test(letter)),
    ).toEqual([]);
    expect(new Set(letters.map(([, letter]) => letter)).size).toBe(letters.length);
  });
  it('lead nowhere else', () => {
    const paths = new Set(roles.flatMap((role) => linksOf(menuOf(role)).map(({ path }) => path)));
    expect(Object.keys(goKeys).filter((path) => !paths.has(path))).toEqual([]);
  });
});
