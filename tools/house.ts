// Keeps the house in order: judges every import of src/, draws docs/house.svg and fails when something is out of place.
//   node tools/house.ts            draws and checks
//   node tools/house.ts --check    checks, and fails when the drawing is stale
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { drawHouse } from './house-draw.ts';
import { countFloors, reach } from './house-graph.ts';
import { planHouse } from './house-plan.ts';
import { readTree } from './house-read.ts';
import { isTest } from './house-rooms.ts';
import { type Finding, judge, type Verdict } from './house-rules.ts';

/** Checks and draws the tree below `root`; returns the report and whether everything is in order. */
export function keepHouse(
  root: string,
  mode: 'draw' | 'check',
): { readonly report: string; readonly isGood: boolean } {
  const tree = readTree(root);
  const verdict = judge(tree);
  const drawing = drawHouse(planHouse(tree, verdict));
  const file = path.join(root, 'docs/house.svg');
  const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== drawing;
  if (mode === 'draw' && isStale) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, drawing);
  }
  const lines = [
    ...verdict.warnings.map((one) => `warning  ${one.file}: ${one.import} (${one.why})`),
    ...verdict.findings.map(tell),
    ...(mode === 'check' && isStale
      ? ['stale    docs/house.svg no longer shows the house: run `npm run house`']
      : []),
    summary(tree.files.filter((one) => !isTest(one.path)).length, verdict),
  ];
  return {
    report: lines.join('\n'),
    isGood: verdict.findings.length === 0 && !(mode === 'check' && isStale),
  };
}

function tell(one: Finding): string {
  return `${one.rule.padEnd(8)} ${one.file}:${one.line} ─► ${one.import}\n         ${one.why}`;
}

function summary(files: number, verdict: Verdict): string {
  const count = (rule: string): number => verdict.findings.filter((one) => one.rule === rule).length;
  return (
    `house: ${files} files, ${verdict.findings.length} refused, ${verdict.warnings.length} warnings; circles ${count('circular')} (0), climbing ${count('climbing')} (0), ` +
    `reach ${(reach(verdict.graph) * 100).toFixed(1)} % (≤15 %), floors ${countFloors(verdict.graph)} (≤12)`
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { check: { type: 'boolean', default: false }, root: { type: 'string', default: process.cwd() } },
  });
  const { report, isGood } = keepHouse(values.root, values.check ? 'check' : 'draw');
  process.stdout.write(`${report}\n`);
  process.exitCode = isGood ? 0 : 1;
}
