// Proves that the lint rules the project depends on are enabled: each planted fault is found.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Files, plantTree } from '#tests/support/source-tree.ts';

const project = path.resolve(import.meta.dirname, '..');

/** The fault, the file extension, the text, and the rules that must find it (none for good code). */
const planted: readonly (readonly [what: string, file: string, text: string, rules: readonly string[]])[] = [
  ['a good file', 'a.ts', 'export const a = 1;', []],
  ['any', 'a.ts', 'export const a = (x: any): unknown => x;', ['typescript(no-explicit-any)']],
  [
    'a promise nobody waits for',
    'a.ts',
    'export const f = (): void => { Promise.resolve(1); };',
    ['typescript(no-floating-promises)'],
  ],
  [
    'a promise as a condition',
    'a.ts',
    'export const f = (x: Promise<boolean>): number => (x ? 1 : 2);',
    ['typescript(no-misused-promises)'],
  ],
  [
    'a forgotten case',
    'a.ts',
    "export function f(k: 'a' | 'b'): number { switch (k) { case 'a': return 1; } return 2; }",
    ['typescript(switch-exhaustiveness-check)'],
  ],
  ['a default export', 'a.ts', 'export default 1;', ['import(no-default-export)']],
  [
    'a non-null assertion',
    'a.ts',
    'export const f = (x: { y: number } | null): number => x!.y;',
    ['typescript(no-non-null-assertion)'],
  ],
  ['console', 'a.ts', "console.log('x');", ['eslint(no-console)']],
  ['== instead of ===', 'a.ts', 'export const f = (x: number): boolean => x == 1;', ['eslint(eqeqeq)']],
  [
    'a swallowed error',
    'a.ts',
    'export function f(): void { try { JSON.parse("x"); } catch {} }',
    ['eslint(no-empty)'],
  ],
  ['the barrel of MUI', 'a.ts', "export { Button } from '@mui/material';", ['eslint(no-restricted-imports)']],
  [
    'the icons of MUI',
    'a.ts',
    "import Add from '@mui/icons-material/Add';\nexport const a = Add;",
    ['eslint(no-restricted-imports)'],
  ],
  ['one MUI component', 'a.ts', "import Button from '@mui/material/Button';\nexport const a = Button;", []],
  ['toLocaleString', 'a.ts', 'export const a = (1).toLocaleString();', ['eslint(no-restricted-properties)']],
  ['Intl', 'a.ts', "export const a = new Intl.NumberFormat('en');", ['eslint(no-restricted-globals)']],
  [
    'a hook behind a condition',
    'A.tsx',
    "import { useState } from 'react';\nexport function A({ x }: { x: boolean }) { if (x) { useState(1); } return <p />; }",
    ['react-hooks(rules-of-hooks)'],
  ],
  [
    'a picture without words',
    'A.tsx',
    'export function A() { return <img src="x.png" />; }',
    ['jsx-a11y(alt-text)'],
  ],
  ['a file name in camel case', 'openBill.ts', 'export const a = 1;', ['unicorn(filename-case)']],
];

/**
 * Runs oxlint with the project's settings on a tree; returns the violated rules of each file, sorted and
 * without duplicates.
 */
function brokenRules(files: Files): ReadonlyMap<string, readonly string[]> {
  const root = plantTree({
    ...files,
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "jsx": "preserve" } }',
  });
  const run = spawnSync(
    path.join(project, 'node_modules/.bin/oxlint'),
    ['--type-aware', '--format=json', '-c', path.join(project, '.oxlintrc.json'), 'src'],
    { cwd: root, encoding: 'utf8' },
  );
  const report: { diagnostics: readonly { code: string; filename: string }[] } = JSON.parse(run.stdout);
  const rules = new Map<string, Set<string>>();
  for (const one of report.diagnostics)
    rules.set(one.filename, (rules.get(one.filename) ?? new Set()).add(one.code));
  return new Map([...rules].map(([file, found]) => [file, [...found].toSorted()]));
}

test('each planted fault is found, and good code passes', () => {
  // One folder per case, so that one run of the linter checks them all.
  const place = (at: number, file: string): string => `src/case-${at}/${file}`;
  const found = brokenRules(Object.fromEntries(planted.map(([, file, text], at) => [place(at, file), text])));
  expect(planted.map(([what, file], at) => [what, found.get(place(at, file)) ?? []])).toEqual(
    planted.map(([what, , , rules]) => [what, rules]),
  );
});
