// `npm run verify`: finds the database as the console would, running or not, and lets the independent checker look at it.
import { readConfig } from '#platform/server/config.ts';
import { check } from './cli-checker.ts';
import { atDatabase } from './cli-database.ts';
import { ending } from './cli-ending.ts';

const words = process.argv.slice(2);
await ending(() =>
  words.includes('--pack') ? check(words) : atDatabase(readConfig(), (where) => check(words, where)),
);
