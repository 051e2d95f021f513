// What the independent checks find, for tests that expect nothing.
import type pg from 'pg';
import { checks } from './checks.ts';
import { opened } from './connection.ts';

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
