// SQL of the history of settings, read from the audit log, which cannot be changed.
import { sql } from 'kysely';
import type { In, Out } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, planPage } from '#platform/server/database/paging.ts';
import type { administration, SettingsChange } from '../contract.ts';

type Row = {
  id: string;
  at: Date;
  by: string | null;
  detail: { before?: Record<string, unknown>; after?: Record<string, unknown> };
  sortValue: string | null;
};

function changeOf({ id, at, by, detail: { before = {}, after = {} } }: Row): SettingsChange {
  return {
    id,
    at,
    by,
    changes: Object.keys(after).map((key) => ({
      key,
      before: before[key] ?? null,
      after: after[key] ?? null,
    })),
  };
}

/** One page of changes; saves that changed nothing are left out. */
export async function settingsHistory(
  ctx: Ctx,
  input: In<typeof administration.settingsHistory>,
): Promise<Out<typeof administration.settingsHistory>> {
  const plan = planPage(input, { at: { expression: sql`a.at`, cast: 'timestamptz' } }, '-at', sql`a.id`);
  const where = sql`a.action = 'administration.updateSettings' and a.detail->'after' <> '{}'::jsonb`;
  const { rows } =
    await sql<Row>`select a.id, a.at, u.name as by, a.detail, ${plan.sortValue} as "sortValue" from audit_log a left join app_user u on u.id = a.actor_id
    where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(ctx.db);
  const { rows: counted } = await sql<{
    total: bigint;
  }>`select count(*) as total from audit_log a where ${where}`.execute(ctx.db);
  const page = plan.cut(rows);
  return {
    items: page.rows.map(changeOf),
    nextCursor: page.nextCursor,
    total: Number(counted[0]?.total ?? 0n),
  };
}
