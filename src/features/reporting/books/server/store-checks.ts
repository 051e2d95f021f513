// SQL of checks of the books: their runs and results.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CheckResult, CheckRun } from '../contract.ts';

const columns = sql`c.id, c.state, c.asked_at as "askedAt", coalesce(u.name, c.asked_by) as "askedBy", c.finished_at as "finishedAt", c.expected, c.checks, c.problem`;
const tables = sql`books_check c left join app_user u on u.id = c.asked_by`;
const shownChecks = 20;

/** Returns the newest runs of all books (null) or of an organization's. */
export async function newestChecks(ctx: Ctx, organizationId: string | null): Promise<CheckRun[]> {
  const { rows } =
    await sql<CheckRun>`select ${columns} from ${tables} where coalesce(c.organization_id, '') = ${organizationId ?? ''} order by c.id desc limit ${shownChecks}`.execute(
      ctx.db,
    );
  return rows.map((row) => view(ctx, row));
}

// Texts from the console are locale keys; texts from the checker are final.
const view = (ctx: Ctx, row: CheckRun): CheckRun => ({
  ...row,
  problem: row.problem === null ? null : ctx.text(row.problem),
});

/** One run of the checker and the organization that it checks. */
export async function checkById(
  ctx: Ctx,
  checkId: string,
): Promise<{ run: CheckRun; organizationId: Id<'org'> | null } | undefined> {
  const { rows } = await sql<
    CheckRun & { organizationId: Id<'org'> | null }
  >`select ${columns}, c.organization_id as "organizationId" from ${tables} where c.id = ${checkId}`.execute(
    ctx.db,
  );
  if (!rows[0]) return undefined;
  const { organizationId, ...run } = rows[0];
  return { run: view(ctx, run), organizationId };
}

/** The run that is waiting or running. */
export async function runningCheck(ctx: Ctx, organizationId: string | null): Promise<CheckRun | undefined> {
  const { rows } =
    await sql<CheckRun>`select ${columns} from ${tables} where coalesce(c.organization_id, '') = ${organizationId ?? ''} and c.state in ('waiting', 'running')`.execute(
      ctx.db,
    );
  return rows[0] && view(ctx, rows[0]);
}

/** Adds a run; undefined when one is waiting or running. */
export async function insertCheck(
  ctx: Ctx,
  organizationId: string | null,
  requestedBy: string,
): Promise<Id<'chk'> | undefined> {
  const { rows } = await sql<{
    id: Id<'chk'>;
  }>`insert into books_check (id, organization_id, state, asked_at, asked_by, heard_at) values (${ctx.newId('chk')}, ${organizationId}, 'waiting', ${ctx.now}, ${requestedBy}, ${ctx.now})
    on conflict (coalesce(organization_id, '')) where state in ('waiting', 'running') do nothing returning id`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

/** Marks runs as failed that have reported nothing since the given moment. */
export async function failSilentChecks(
  ctx: Ctx,
  organizationId: string | null,
  since: Date,
  problem: string,
): Promise<void> {
  await sql`update books_check set state = 'broken', finished_at = ${ctx.now}, problem = ${problem} where coalesce(organization_id, '') = ${organizationId ?? ''} and state in ('waiting', 'running') and heard_at < ${since}`.execute(
    ctx.db,
  );
}

/** Marks a run as started, even if it is retried. */
export async function beginRun(ctx: Ctx, checkId: string, expected: readonly string[]): Promise<void> {
  await sql`update books_check set state = 'running', heard_at = ${ctx.now}, expected = ${JSON.stringify(expected)}::jsonb, checks = '[]' where id = ${checkId} and finished_at is null`.execute(
    ctx.db,
  );
}

/** Adds a check's result. */
export async function addResult(ctx: Ctx, checkId: string, result: CheckResult): Promise<void> {
  await sql`update books_check set heard_at = ${ctx.now}, checks = checks || ${JSON.stringify([result])}::jsonb where id = ${checkId} and finished_at is null`.execute(
    ctx.db,
  );
}

/** Ends a run. */
export async function endRun(
  ctx: Ctx,
  checkId: string,
  state: CheckRun['state'],
  problem: string | null,
): Promise<void> {
  await sql`update books_check set state = ${state}, finished_at = ${ctx.now}, heard_at = ${ctx.now}, problem = ${problem} where id = ${checkId} and finished_at is null`.execute(
    ctx.db,
  );
}
