import { describe, expect, it } from 'vitest';
import { linksOf, menuOf } from '../menu.ts';
import { operatorPaths } from './operator-screens.tsx';

describe('R-SHELL-09 an Admin’s menu', () => {
  it('leads to screens, and contains every screen', () => {
    expect(operatorPaths.toSorted()).toEqual(
      linksOf(menuOf('Admin'))
        .map(({ path }) => path)
        .toSorted(),
    );
  });
});
