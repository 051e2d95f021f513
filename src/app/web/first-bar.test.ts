// Proves that what index.html draws before any code has loaded fits what the code draws afterwards.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roles } from '#kernel/roles.ts';
import { dark, light } from '#platform/web/theme/palette.ts';
import { linksOf, menuOf } from '../menu.ts';

const page = readFileSync('index.html', 'utf8');
const pattern = new RegExp(/(\/\^\\\/\(user\|.+\/)\.test\(path\)/.exec(page)?.[1]?.slice(1, -1) ?? 'missing');

test('the bar shows above every page of every menu', () => {
  const paths = roles.flatMap((role) => linksOf(menuOf(role)).map((link) => link.path));
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !pattern.test(path))).toEqual([]);
});

test.each(['/', '/login', '/register', '/embed', '/quotes/abc', '/invitation', '/payments/returned', '/404'])(
  'no bar shows above %s',
  (path) => {
    expect(pattern.test(path)).toBe(false);
  },
);

test.each([
  ['light', light, /\.first-bar \{[^}]+\}/],
  ['dark', dark, /html\[data-theme='dark'\] \.first-bar \{[^}]+\}/],
])('the bar has the colours of the %s theme', (_, { appBar, background }, rule) => {
  const colours = /#[0-9a-f]{3,6}\b/gi;
  const full = (colour: string) => colour.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3').toUpperCase();
  expect((rule.exec(page)?.[0].match(colours) ?? []).map(full)).toEqual([
    appBar.background,
    appBar.text,
    appBar.border,
  ]);
  expect(page.toUpperCase()).toContain(`BACKGROUND: ${background.default.toUpperCase()}`);
});
