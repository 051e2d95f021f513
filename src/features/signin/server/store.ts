// What sign-in asks the database: failed attempts.
import { sql, type Kysely } from 'kysely';
import type { Ctx } from '#platform/server/ctx.ts';
import type { Tables } from '#platform/server/tables.ts';

/** Until when an account has to wait before its next sign-in; undefined when it need not. */
export async function blockedUntil(db: Kysely<Tables>, account: string, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ blocked_until: Date }>`select blocked_until from sign_in_failure where account = ${account} and blocked_until > ${now}`.execute(db);
  return rows[0]?.blocked_until;
}

const forgetFailuresAfterHours = 24;

/** Counts one more failed sign-in and answers how many there are in a row. */
export async function countFailure(ctx: Ctx, account: string): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - forgetFailuresAfterHours * 3_600_000);
  const { rows } = await sql<{ failures: number }>`insert into sign_in_failure as f (account, failures, blocked_until, last_at) values (${account}, 1, ${ctx.now}, ${ctx.now})
    on conflict (account) do update set failures = case when f.last_at < ${oldest} then 1 else f.failures + 1 end, last_at = ${ctx.now} returning failures`.execute(ctx.db);
  return rows[0]?.failures ?? 1;
}

/** Makes an account wait. */
export async function blockUntil(ctx: Ctx, account: string, until: Date): Promise<void> {
  await sql`update sign_in_failure set blocked_until = ${until} where account = ${account}`.execute(ctx.db);
}

/** Forgets an account's failures after a good sign-in. */
export async function forgetFailures(ctx: Ctx, account: string): Promise<void> {
  await sql`delete from sign_in_failure where account = ${account}`.execute(ctx.db);
}
