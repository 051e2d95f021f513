import { globSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { SpreadSequencer } from './tools/test-order.ts';
import { isEveryChange, longTests } from './tools/test-sets.ts';
import { icons } from './tools/web-plugins.ts';

const exclude = [...configDefaults.exclude, 'data/**', 'dist/**', ...(isEveryChange ? longTests : [])];
const web = ['src/{platform,app}/web/**/*.test.ts', 'src/features/*/*/web/**/*.test.ts'];
// What takes the clock or the browser's globals for itself shares them with no other file.
const webApart = globSync(web).filter((file) => /\bvi\b/.test(readFileSync(file, 'utf8')));
export default defineConfig({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: SpreadSequencer },
    projects: [
      {
        // Rules, contracts and the workshop's own tools: no database, no network.
        test: {
          name: 'pure',
          maxWorkers: 4,
          isolate: false,
          // A bound for what hangs: property tests take seconds on a busy machine.
          testTimeout: 60_000,
          include: [
            'src/kernel/**/*.test.ts',
            'src/features/*/*/{rules,contract}*.test.ts',
            'src/app/console/*.test.ts',
            'src/**/locales/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude,
        },
      },
      {
        // Everything that runs in Node, on a real PostgreSQL: one server per run, one database per file.
        test: {
          name: 'server',
          include: [
            'src/**/server/**/*.test.ts',
            'tests/**/*.test.ts',
            'verify/*.test.ts',
            'verify-licence/*.test.ts',
            'verify-bill/*.test.ts',
          ],
          exclude,
          // Each file has a database of its own; loading every module anew for each would take a quarter of the time.
          isolate: false,
          globalSetup: ['tools/vitest-database.ts'],
          setupFiles: ['tests/support/clean-up.setup.ts'],
          // Half of what they do is done by the database, in processes of its own.
          maxWorkers: 4,
          // Bounds for what hangs, not expectations: some tests make whole databases, and machines may be busy.
          expect: { poll: { timeout: 50_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // What the browser side decides without a page: formats, envelopes, stores, menus of its parts.
        plugins: [icons()],
        test: {
          name: 'web',
          maxWorkers: 4,
          // A process for each file would load the same modules seventy times.
          isolate: false,
          include: web,
          exclude: [...exclude, ...webApart],
        },
      },
      {
        plugins: [icons()],
        test: { name: 'web apart', maxWorkers: 4, include: webApart, exclude },
      },
    ],
  },
});
