// The configuration with which `npm run screens -- --against FOLDER` compares pictures: the new ones with
// those of the same names in the folder.
import path from 'node:path';
import { defineConfig } from '@playwright/test';

const { SCREENS_OUT: out = '', SCREENS_AGAINST: against = '', SCREENS_MOST: most = '' } = process.env;

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: 'screens-against.ts',
  outputDir: path.join(out, 'changed/pictures'),
  // A flag names the folder with earlier pictures: the repository has none.
  snapshotPathTemplate: path.join(against, '{arg}{ext}'),
  // Pictures that are missing there stay missing.
  updateSnapshots: 'none',
  fullyParallel: true,
  workers: 2,
  expect: { toMatchSnapshot: { maxDiffPixels: Number(most) } },
  reporter: [['line'], ['html', { outputFolder: path.join(out, 'changed'), open: 'never' }]],
});
