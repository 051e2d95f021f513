// What the independent checks find, for tests that expect nothing.
import type pg from 'pg';
import { placeOf } from '../tests/support/books.ts';
import { atFileEnd } from '../tests/support/clean-up.ts';
import type { TestConsole } from '../tests/support/console.ts';
import { checks } from './checks.ts';
import { connection, opened } from './connection.ts';

/** The checker's connection to the database of a console; closed when the test file ends. */
export async function checkerOf(console: Pick<TestConsole, 'app'>): Promise<pg.Client> {
  const client = connection(placeOf(console));
  await client.connect();
  atFileEnd(() => client.end());
  return client;
}

/** The findings of all checks at this moment, as texts; of an organization, of those that can look at one. */
export async function foundBy(client: pg.Client, organization: string | null = null): Promise<string[]> {
  await client.query('begin isolation level repeatable read read only');
  const looked = await opened(client, organization);
  const found: string[] = [];
  for (const check of checks.filter((each) => organization === null || each.isPerOrganization))
    for (const { code, subject, expected, actual } of (await check.run(looked)).findings)
      found.push(`${check.id}: ${code} ${subject}: ${expected}, found ${actual}`);
  await client.query('rollback');
  return found;
}
