// Proves that each rule of the house refuses what it should, names the culprit, and lets a good tree pass.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepHouse } from './house.ts';
import { readTree } from './house-read.ts';
import { judge, type Rule } from './house-rules.ts';
import { type Files, plantTree } from './test-tree.ts';

const good: Files = {
  'package.json': JSON.stringify({
    imports: {
      '#kernel/*': './src/kernel/*',
      '#platform/*': './src/platform/*',
      '#features/*': './src/features/*',
    },
  }),
  'src/kernel/money.ts': "import { z } from 'zod';\nexport const money = z.string();\n",
  'src/platform/server/db.ts':
    "import { money } from '#kernel/money.ts';\nimport { sql } from 'kysely';\nexport const db = sql`select ${money}`;\n",
  'src/platform/server/config.ts': 'export const port = process.env.PORT;\n',
  'src/platform/server/clock.ts': 'export const now = () => new Date();\n',
  'src/platform/web/clock.ts': 'export const now = () => Date.now();\n',
  'src/platform/web/api.ts': "import { money } from '#kernel/money.ts';\nexport const api = money;\n",
  'src/platform/locales/zhTW.ts': 'export const zhTW = {};\n',
  'src/features/usage/contract.ts':
    "import { money } from '#kernel/money.ts';\nexport const usage = money;\n",
  'src/features/usage/rules.ts':
    "import type { usage } from './contract.ts';\nexport const rule = (one: typeof usage) => new Date(Number(one));\n",
  'src/features/usage/locales/zhTW.ts':
    "import type { usage } from '../contract.ts';\nexport const zhTW: Record<string, typeof usage> = {};\n",
  'src/features/usage/server/index.ts': "import { record } from './record-usage.ts';\nexport { record };\n",
  'src/features/usage/server/record-usage.ts':
    "import { insert } from './store.ts';\nimport { rule } from '../rules.ts';\nexport const record = [insert, rule];\n",
  'src/features/usage/server/store.ts':
    "import { db } from '#platform/server/db.ts';\nexport const insert = (ctx: never) => [db, ctx.db.selectFrom('event')];\n",
  'src/features/usage/server/record-usage.test.ts':
    "import { usage } from './index.ts';\nimport { test } from 'vitest';\ntest('x', () => sql`${usage}${new Date()}${process.env.HOME}`);\n",
  'src/features/usage/web/index.ts':
    "import { lazy } from 'react';\nexport const Screen = lazy(() => import('./UsageScreen.tsx'));\n",
  'src/features/usage/web/UsageScreen.tsx':
    "import { api } from '#platform/web/api.ts';\nimport './usage.css';\nexport const UsageScreen = () => <p>{api}</p>;\n",
  'src/features/usage/web/usage.css': 'p {}\n',
  'src/features/billing/contract.ts':
    "import { usage } from '#features/usage/contract.ts';\nexport const billing = usage;\n",
  'src/features/billing/rules-tax.ts':
    "import { billing } from './contract.ts';\nexport const tax = billing;\n",
  'src/features/billing/rules.ts': "export { tax } from './rules-tax.ts';\n",
  'src/features/billing/server/index.ts':
    "import { issue } from './issue-bill.ts';\nexport const feature = issue;\n",
  'src/features/billing/server/issue-bill.ts':
    "import { record } from '#features/usage/server/index.ts';\nimport { rule } from '#features/usage/rules.ts';\nexport const issue = [record, rule];\n",
  'src/features/billing/server/migrations/run.ts': 'export const run = sql`create table x()`;\n',
  'src/app/columns.ts': "export const columns = ['usage', 'billing'] as const;\n",
  'src/app/menu.ts': "import { usage } from '#features/usage/contract.ts';\nexport const menu = usage;\n",
  'src/app/server.ts':
    "import { feature } from '#features/billing/server/index.ts';\nimport { port } from '#platform/server/config.ts';\nexport const server = [feature, port];\n",
  'src/app/locales/zhTW.ts':
    "import { zhTW as usage } from '#features/usage/locales/zhTW.ts';\nexport const zhTW = usage;\n",
  'src/app/web/main.tsx':
    "import { Screen } from '#features/usage/web/index.ts';\nimport { menu } from '../menu.ts';\nexport const main = [Screen, menu];\n",
};

function findingsIn(files: Files): readonly string[] {
  return judge(readTree(plantTree(files))).findings.map(
    (one) => `${one.rule} ${one.file}:${one.line} ${one.import}`,
  );
}

test('a tree that keeps the rules passes', () => {
  expect(findingsIn(good)).toEqual([]);
});

/** One broken rule each: what is broken, the file that breaks it, its text, and the import or words the message must name. */
const violations: readonly (readonly [
  what: string,
  rule: Rule,
  file: string,
  text: string,
  culprit: string,
])[] = [
  [
    'the kernel imports the platform',
    'climbing',
    'src/kernel/time.ts',
    "import { db } from '#platform/server/db.ts';\n",
    '#platform/server/db.ts',
  ],
  [
    'the platform imports a column',
    'climbing',
    'src/platform/server/jobs.ts',
    "import { x } from '#features/usage/server/index.ts';\n",
    '#features/usage/server/index.ts',
  ],
  [
    'a column imports the roof',
    'climbing',
    'src/features/usage/web/Menu.tsx',
    "import { menu } from '../../../app/menu.ts';\n",
    '../../../app/menu.ts',
  ],
  [
    'a column imports to its right',
    'climbing',
    'src/features/usage/server/pay.ts',
    "import { x } from '#features/billing/server/index.ts';\n",
    '#features/billing/server/index.ts',
  ],
  [
    'a type import climbs',
    'climbing',
    'src/features/usage/contract-more.ts',
    "import type { x } from '#features/billing/contract.ts';\n",
    '#features/billing/contract.ts',
  ],
  [
    'an import inside a type climbs',
    'climbing',
    'src/features/usage/contract-more.ts',
    "export type X = import('#features/billing/contract.ts').Billing;\n",
    '#features/billing/contract.ts',
  ],
  [
    'a dynamic import climbs',
    'climbing',
    'src/features/usage/server/later.ts',
    "export const later = () => import('#features/billing/server/index.ts');\n",
    '#features/billing/server/index.ts',
  ],
  [
    'a re-export climbs',
    'climbing',
    'src/features/usage/contract-more.ts',
    "export const own = 1;\nexport const two = 2;\nexport { billing } from '#features/billing/contract.ts';\n",
    '#features/billing/contract.ts',
  ],
  [
    'a test climbs',
    'climbing',
    'src/features/usage/server/climb.test.ts',
    "import { x } from '#features/billing/server/index.ts';\n",
    '#features/billing/server/index.ts',
  ],
  [
    'a contract imports rules',
    'climbing',
    'src/features/usage/contract-more.ts',
    "import { rule } from './rules.ts';\n",
    './rules.ts',
  ],
  [
    'rules import sentences',
    'sideways',
    'src/features/usage/rules-more.ts',
    "import { zhTW } from './locales/zhTW.ts';\n",
    './locales/zhTW.ts',
  ],
  [
    'web imports server in the platform',
    'sideways',
    'src/platform/web/db.ts',
    "import { db } from '../server/db.ts';\n",
    '../server/db.ts',
  ],
  [
    'server imports web in a column',
    'sideways',
    'src/features/usage/server/page.ts',
    "import { Screen } from '../web/UsageScreen.tsx';\n",
    '../web/UsageScreen.tsx',
  ],
  [
    "web imports another column's server",
    'sideways',
    'src/features/billing/web/Bills.tsx',
    "import { record } from '#features/usage/server/index.ts';\n",
    '#features/usage/server/index.ts',
  ],
  [
    'the web roof imports the server roof',
    'sideways',
    'src/app/web/Shell.tsx',
    "import { server } from '../server.ts';\n",
    '../server.ts',
  ],
  [
    'web imports a node module',
    'sideways',
    'src/platform/web/file.ts',
    "import { readFileSync } from 'node:fs';\n",
    'node:fs',
  ],
  [
    'a column is entered by a side door',
    'side-door',
    'src/features/billing/server/peek.ts',
    "import { insert } from '#features/usage/server/store.ts';\n",
    '#features/usage/server/store.ts',
  ],
  [
    'the roof enters by a side door',
    'side-door',
    'src/app/seed.ts',
    "import { insert } from '#features/usage/server/store.ts';\n",
    '#features/usage/server/store.ts',
  ],
  [
    "a column reads another one's sentences",
    'side-door',
    'src/features/billing/web/Words.tsx',
    "import { zhTW } from '#features/usage/locales/zhTW.ts';\n",
    '#features/usage/locales/zhTW.ts',
  ],
  [
    'a file imports its own door',
    'own-door',
    'src/features/usage/server/loop.ts',
    "import { record } from './index.ts';\n",
    './index.ts',
  ],
  [
    'a pure file imports a machine',
    'impure',
    'src/features/usage/rules-more.ts',
    "import { db } from '#platform/server/db.ts';\n",
    '#platform/server/db.ts',
  ],
  [
    'a pure file imports a package that is not allowed',
    'impure',
    'src/kernel/ids.ts',
    "import { randomBytes } from 'node:crypto';\n",
    'node:crypto',
  ],
  [
    'the pure roof imports its server',
    'impure',
    'src/app/locales/enUS.ts',
    "import { server } from '../server.ts';\n",
    '../server.ts',
  ],
  [
    'the product imports a test file',
    'test-in-product',
    'src/features/usage/server/mail.ts',
    "import { world } from './record-usage.test.ts';\n",
    './record-usage.test.ts',
  ],
  [
    'an import leads nowhere',
    'unresolved',
    'src/kernel/text.ts',
    "import { money } from './money';\n",
    './money',
  ],
  [
    'a file is called utils',
    'banned-name',
    'src/kernel/string-utils.ts',
    'export const x = 1;\n',
    'string-utils.ts',
  ],
  [
    'a folder is called common',
    'banned-name',
    'src/platform/web/common/Button.tsx',
    'export const x = 1;\n',
    'common',
  ],
  [
    'an index file that is no door',
    'barrel',
    'src/platform/web/index.ts',
    'export const x = 1;\n',
    'index.ts',
  ],
  ['a file that mostly re-exports', 'barrel', 'src/kernel/all.ts', "export * from './money.ts';\n", 'all.ts'],
  [
    'a file that imports to export again',
    'barrel',
    'src/kernel/all.ts',
    "import { money } from './money.ts';\nexport { money };\n",
    'all.ts',
  ],
  ['a file of 751 lines', 'too-long', 'src/kernel/long.ts', '// line\n'.repeat(751), '751 lines'],
  [
    'a file in no room',
    'no-room',
    'src/features/usage/notes.ts',
    'export const x = 1;\n',
    'src/features/usage/notes.ts',
  ],
  ['an unknown column', 'no-room', 'src/features/weather/contract.ts', 'export const x = 1;\n', 'weather'],
  [
    'a file that does not parse',
    'unreadable',
    'src/kernel/broken.ts',
    'export const = 1;\n',
    'src/kernel/broken.ts',
  ],
  [
    'the environment is read in a verb',
    'environment',
    'src/features/usage/server/env.ts',
    "export const x = process['env'].HOME;\n",
    'process.env',
  ],
  [
    'the environment comes by import',
    'environment',
    'src/platform/server/env.ts',
    "import { env } from 'node:process';\n",
    'process.env',
  ],
  [
    'a verb reads the clock by Date.now',
    'clock',
    'src/features/usage/server/when.ts',
    'export const x = Date.now();\n',
    'Date.now',
  ],
  [
    'a rule reads the clock by new Date',
    'clock',
    'src/features/usage/rules-more.ts',
    'export const x = new Date();\n',
    'new Date()',
  ],
  [
    'the kernel reads the clock by Temporal',
    'clock',
    'src/kernel/time.ts',
    "import { Temporal } from 'temporal-polyfill';\nexport const x = Temporal.Now.instant();\n",
    'Temporal.Now',
  ],
  ['chance', 'chance', 'src/platform/server/clock.ts', 'export const x = Math.random();\n', 'Math.random'],
  [
    'SQL in a verb',
    'sql',
    'src/features/usage/server/count.ts',
    'export const x = sql<number>`select 1`;\n',
    'sql`…`',
  ],
  [
    'the query builder in a verb',
    'sql',
    'src/features/usage/server/count.ts',
    "export const x = (db: never) => db.selectFrom('event');\n",
    '.selectFrom(…)',
  ],
  [
    'ctx.db in a verb',
    'sql',
    'src/features/usage/server/count.ts',
    'export const x = (ctx: never) => ctx.db.fn;\n',
    'ctx.db.fn',
  ],
  ['SQL on the roof', 'sql', 'src/app/reactions.ts', 'export const x = sql`select 1`;\n', 'sql`…`'],
];

describe('what the house refuses', () => {
  test.each(violations)('%s (%s)', (_what, rule, file, text, culprit) => {
    const findings = judge(readTree(plantTree({ ...good, [file]: text }))).findings;
    expect(findings.map((one) => [one.rule, one.file, one.import])).toContainEqual([rule, file, culprit]);
    expect(findings.filter((one) => one.rule !== rule)).toEqual([]);
    expect(findings.find((one) => one.rule === rule)?.why).not.toBe('');
  });

  test('a circle, type imports included, is told as a walk', () => {
    const root = plantTree({
      ...good,
      'src/kernel/a.ts': "import type { B } from './b.ts';\n",
      'src/kernel/b.ts': "import { a } from './a.ts';\n",
    });
    expect(judge(readTree(root)).findings).toEqual([
      {
        file: 'src/kernel/a.ts',
        line: 1,
        import: 'src/kernel/b.ts',
        rule: 'circular',
        why: '2 files in a circle: src/kernel/a.ts ─► src/kernel/b.ts ─► src/kernel/a.ts',
      },
    ]);
  });

  test('a line number points at the import', () => {
    expect(
      findingsIn({
        ...good,
        'src/kernel/time.ts': "// why\n\nimport { db } from '#platform/server/db.ts';\n",
      }),
    ).toEqual(['climbing src/kernel/time.ts:3 #platform/server/db.ts']);
  });
});

test('long files and many imports are warned about, not refused', () => {
  const imports = Array.from(
    { length: 13 },
    (_, at) => `import './part-${at}.css';\nimport p${at} from '@mui/material/Part${at}';\n`,
  ).join('');
  const { findings, warnings } = judge(
    readTree(
      plantTree({ ...good, 'src/kernel/long.ts': '// line\n'.repeat(451), 'src/app/web/Shell.tsx': imports }),
    ),
  );
  expect(findings).toEqual([]);
  expect(warnings.map((one) => `${one.rule} ${one.file} ${one.import}`)).toEqual([
    'crowded src/app/web/Shell.tsx 14 imports',
    'too-long src/kernel/long.ts 451 lines',
  ]);
});

describe('the drawing', () => {
  test('is drawn once, fresh afterwards, and stale as soon as the house changes', () => {
    const root = plantTree(good);
    expect(keepHouse(root, 'check')).toMatchObject({
      isGood: false,
      report: expect.stringContaining('npm run house'),
    });
    expect(keepHouse(root, 'draw').isGood).toBe(true);
    expect(keepHouse(root, 'check').isGood).toBe(true);
    writeFileSync(path.join(root, 'src/kernel/roles.ts'), 'export const roles = [];\n');
    expect(keepHouse(root, 'check').isGood).toBe(false);
  });

  test('is the same for the same tree and shows every room', () => {
    const drawings = [plantTree(good), plantTree(good)].map((root) => {
      keepHouse(root, 'draw');
      return readFileSync(path.join(root, 'docs/house.svg'), 'utf8');
    });
    expect(drawings[0]).toBe(drawings[1]);
    for (const word of ['usage', 'billing', 'platform / server', 'platform / web', 'kernel', 'app'])
      expect(drawings[0]).toContain(`>${word}</text>`);
    expect(drawings[0]).not.toContain('#e11d2e" stroke-width="3.2');
  });

  test('shows a refused import in red even though the check fails', () => {
    const root = plantTree({
      ...good,
      'src/kernel/time.ts': "import { db } from '#platform/server/db.ts';\n",
    });
    expect(keepHouse(root, 'draw').isGood).toBe(false);
    expect(readFileSync(path.join(root, 'docs/house.svg'), 'utf8')).toContain('stroke-dasharray="9 5"');
  });
});
