// SQL of the settings history, read from the audit log, which is immutable.
import { sql } from 'kysely';
import type { In, Out } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { administration, SettingsChange } from '../contract.ts';

type Row = {
  id: string;
  at: Date;
  by: string | null;
  detail: { before?: Record<string, unknown>; after?: Record<string, unknown> };
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

const order: ListOrder = {
  by: { at: { expression: sql`a.at`, cast: 'timestamptz' } },
  usual: '-at',
  id: sql`a.id`,
};

/** Returns one page of changes, without saves that changed nothing. */
export function settingsHistory(
  ctx: Ctx,
  input: In<typeof administration.settingsHistory>,
): Promise<Out<typeof administration.settingsHistory>> {
  const list = {
    columns: sql<Row>`a.id, a.at, u.name as by, a.detail`,
    from: sql`audit_log a left join app_user u on u.id = a.actor_id`,
    where: sql`a.action = 'administration.updateSettings' and a.detail->'after' <> '{}'::jsonb`,
    order,
  };
  return readPage(ctx.db, input, list, changeOf);
}
