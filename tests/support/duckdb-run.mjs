// Runs a script in DuckDB, in memory, and prints the rows of its last statement as JSON: for tests.
//   node duckdb-run.mjs <folder of node_modules with @duckdb/node-api> < script.sql
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const [, , packages] = process.argv;
const { DuckDBInstance } = createRequire(`${packages}/index.js`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const answer = await connection.runAndReadAll(await text(process.stdin));
process.stdout.write(JSON.stringify(answer.getRowObjectsJson()));
