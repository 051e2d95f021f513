// SQL of sandboxes, in the console's own database.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  type ListOrder,
  type SearchInput,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SandboxPlace } from '#platform/server/sandbox-host.ts';
import type { MoveState, Sandbox } from '../contract.ts';

export type SandboxRow = {
  id: Id<'sbx'>;
  name: string;
  database: string;
  nextDatabase: string | null;
  state: Sandbox['state'];
  startAt: Date;
  clockAt: Date;
  copiesCatalogue: boolean;
  moveFrom: Date | null;
  moveTo: Date | null;
  moveState: MoveState | null;
  customers: number;
  bills: number;
  mails: number;
  lastUsedAt: Date;
  noticedAt: Date | null;
  createdBy: string;
  createdAt: Date;
};
/** The counts of a sandbox's contents. */
export type Holdings = Pick<SandboxRow, 'customers' | 'bills' | 'mails'>;

/** A process that works on a sandbox reports regularly; after this many silent seconds it must have died. */
const silentSeconds = 30;
/** Creating a sandbox takes less than this. */
const makingSeconds = 600;

const columns = sql<SandboxRow>`s.id, s.name, s.database_name as database, s.next_database as "nextDatabase", s.state, s.start_at as "startAt", s.clock_at as "clockAt", s.copies_catalogue as "copiesCatalogue",
  s.move_from as "moveFrom", s.move_to as "moveTo", s.move_state as "moveState", s.customers, s.bills, s.mails, s.last_used_at as "lastUsedAt", s.noticed_at as "noticedAt", s.created_by as "createdBy", s.created_at as "createdAt"`;
const order: ListOrder = {
  by: {
    name: { expression: sql`s.name`, cast: 'text' },
    createdAt: { expression: sql`s.created_at`, cast: 'timestamptz' },
    lastUsedAt: { expression: sql`s.last_used_at`, cast: 'timestamptz' },
  },
  usual: '-createdAt',
  id: sql`s.id`,
};

export type ListInput = SearchInput;

export const pageOfSandboxes = (ctx: Ctx, input: ListInput): Promise<Page<SandboxRow>> =>
  readPage(
    ctx.db,
    input,
    {
      columns,
      from: sql`sandbox s`,
      where: allOf(input.q && sql`s.name ilike ${containsPattern(input.q)}`),
      order,
    },
    rowItself,
  );

export async function sandboxById(ctx: Ctx, id: string): Promise<SandboxRow | undefined> {
  const { rows } = await sql<SandboxRow>`select ${columns} from sandbox s where s.id = ${id}`.execute(ctx.db);
  return rows[0];
}

/** Returns one sandbox, locked until the transaction ends. */
export async function lockSandbox(ctx: Ctx, id: string): Promise<SandboxRow | undefined> {
  const { rows } =
    await sql<SandboxRow>`select ${columns} from sandbox s where s.id = ${id} for update`.execute(ctx.db);
  return rows[0];
}

/** Returns every sandbox, oldest first. */
export async function allSandboxes(ctx: Ctx): Promise<SandboxRow[]> {
  const { rows } = await sql<SandboxRow>`select ${columns} from sandbox s order by s.id`.execute(ctx.db);
  return rows;
}

export const countSandboxes = (ctx: Ctx): Promise<number> =>
  readTotal(ctx.db, { from: sql`sandbox`, where: sql`true` });

export async function insertSandbox(
  ctx: Ctx,
  made: Pick<SandboxRow, 'id' | 'name' | 'database' | 'startAt' | 'copiesCatalogue' | 'createdBy'>,
): Promise<void> {
  await sql`insert into sandbox (id, name, database_name, state, start_at, clock_at, copies_catalogue, alive_at, last_used_at, created_by, created_at)
    values (${made.id}, ${made.name}, ${made.database}, 'making', ${made.startAt}, ${made.startAt}, ${made.copiesCatalogue}, now(), ${ctx.now}, ${made.createdBy}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Marks a created sandbox as ready. Returns false when it is no longer wanted. */
export async function setReady(ctx: Ctx, id: string, database: string): Promise<boolean> {
  const { rows } =
    await sql`update sandbox set state = 'ready', last_used_at = ${ctx.now} where id = ${id} and database_name = ${database} and state = 'making' returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores the name of the database that is being created to replace the current one. */
export async function beginReset(ctx: Ctx, id: string, database: string): Promise<void> {
  await sql`update sandbox set next_database = ${database}, alive_at = now() where id = ${id}`.execute(
    ctx.db,
  );
}

/**
 * Replaces the database by the new one; its clock is at the start again. Returns false when the reset is no
 * longer wanted.
 */
export async function finishReset(ctx: Ctx, id: string, database: string): Promise<boolean> {
  const { rows } =
    await sql`update sandbox set database_name = next_database, next_database = null, clock_at = start_at, move_from = null, move_to = null, move_state = null, mover = null,
      customers = 0, bills = 0, mails = 0, last_used_at = ${ctx.now}, noticed_at = null where id = ${id} and next_database = ${database} and state = 'ready' returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export async function forgetReset(ctx: Ctx, id: string, database: string): Promise<void> {
  await sql`update sandbox set next_database = null where id = ${id} and next_database = ${database}`.execute(
    ctx.db,
  );
}

export async function setDeleting(ctx: Ctx, id: string): Promise<void> {
  await sql`update sandbox set state = 'deleting', alive_at = now() where id = ${id}`.execute(ctx.db);
}

export async function deleteSandboxRow(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from sandbox where id = ${id}`.execute(ctx.db);
}

/** Returns sandboxes that a dead process was creating, resetting or deleting. */
export async function abandonedSandboxes(ctx: Ctx): Promise<SandboxRow[]> {
  const { rows } =
    await sql<SandboxRow>`select ${columns} from sandbox s where (s.state <> 'ready' or s.next_database is not null)
      and s.alive_at < now() - make_interval(secs => case s.state when 'deleting' then ${silentSeconds}::int else ${makingSeconds}::int end) order by s.id`.execute(
      ctx.db,
    );
  return rows;
}

export async function storeMove(ctx: Ctx, id: string, to: Date): Promise<void> {
  await sql`update sandbox set move_from = clock_at, move_to = ${to}, move_state = 'running', mover = null, alive_at = now(), last_used_at = ${ctx.now}, noticed_at = null where id = ${id}`.execute(
    ctx.db,
  );
}

export async function endMove(ctx: Ctx, id: string, state: 'done' | 'cancelled'): Promise<void> {
  await sql`update sandbox set move_state = ${state}, mover = null where id = ${id} and move_state = 'running'`.execute(
    ctx.db,
  );
}

/** Takes over a move that no process carries out. */
export async function claimMove(ctx: Ctx, id: string, mover: string): Promise<SandboxRow | undefined> {
  const { rows } = await sql<SandboxRow>`update sandbox s set mover = ${mover}, alive_at = now()
      where s.id = ${id} and s.state = 'ready' and s.move_state = 'running' and (s.mover is null or s.alive_at < now() - make_interval(secs => ${silentSeconds}::int)) returning ${columns}`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Stores the time of the clock. Returns whether the move continues: it may have been canceled or taken over.
 */
export async function saveClock(app: App, id: string, mover: string, at: Date): Promise<boolean> {
  const { rows } =
    await sql`update sandbox set clock_at = greatest(clock_at, ${at}), alive_at = now() where id = ${id} and mover = ${mover} and state = 'ready' and move_state = 'running' returning 1`.execute(
      app.database.kysely,
    );
  return rows.length > 0;
}

/** Releases a move, so that another process can continue it at once. */
export async function leaveMove(ctx: Ctx, id: string, mover: string): Promise<void> {
  await sql`update sandbox set mover = null where id = ${id} and mover = ${mover}`.execute(ctx.db);
}

/** Returns moves that no process carries out. */
export async function abandonedMoves(ctx: Ctx): Promise<Id<'sbx'>[]> {
  const { rows } = await sql<{
    id: Id<'sbx'>;
  }>`select id from sandbox where state = 'ready' and move_state = 'running'
      and (mover is null or alive_at < now() - make_interval(secs => ${silentSeconds}::int)) order by id`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

export async function storeHoldings(ctx: Ctx, id: string, held: Holdings): Promise<void> {
  await sql`update sandbox set customers = ${held.customers}, bills = ${held.bills}, mails = ${held.mails} where id = ${id}`.execute(
    ctx.db,
  );
}

export async function setNoticed(ctx: Ctx, id: string): Promise<void> {
  await sql`update sandbox set noticed_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
}

/** The last use is stored at most once a minute. */
const usedEveryMs = 60_000;

/** Returns where the calls of a sandbox go; undefined when there is no usable one. Stores that it is used. */
export async function placeToServe(app: App, id: string): Promise<SandboxPlace | undefined> {
  const { rows } = await sql<
    SandboxPlace & { lastUsedAt: Date }
  >`select id, database_name as database, clock_at as "clockAt", last_used_at as "lastUsedAt" from sandbox where id = ${id} and state = 'ready'`.execute(
    app.database.kysely,
  );
  const [row] = rows;
  if (!row) return undefined;
  const now = app.clock.now();
  if (now.getTime() - row.lastUsedAt.getTime() > usedEveryMs)
    await sql`update sandbox set last_used_at = ${now}, noticed_at = null where id = ${id} and last_used_at < ${now}`.execute(
      app.database.kysely,
    );
  return { id: row.id, database: row.database, clockAt: row.clockAt };
}
