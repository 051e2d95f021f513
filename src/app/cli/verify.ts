// `npm run verify`: finds the database as the console would, running or not, and lets the independent checker look at it.
import { readConfig } from '#platform/server/config.ts';
import { check } from './checker.ts';
import { atDatabase } from './database.ts';
import { ending } from './ending.ts';

const words = process.argv.slice(2);
await ending(() =>
  words.includes('--pack') ? check(words) : atDatabase(readConfig(), (where) => check(words, where)),
);
