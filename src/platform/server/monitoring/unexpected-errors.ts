// Unexpected errors, stored for operators: the log has them in full, a row records that and where one
// happened.
import { sql } from 'kysely';
import { dayMs } from '#kernel/durations.ts';
import { credentialsHidden } from '../log.ts';
import type { Ctx, App } from '../unit-of-work/ctx.ts';

export type UnexpectedError = {
  readonly source: 'request' | 'job';
  readonly place: string;
  readonly requestId?: string;
  readonly error: unknown;
};

const longestMessage = 300;
/** More of them in a minute give no new information and must not add to the load. */
const maxAMinute = 60;
const retentionDays = 30;

/**
 * The part of an error that may be stored: its name and first line, without credentials. Row values are in
 * other fields of a database error.
 */
export function storableMessage(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return credentialsHidden(text.split('\n')[0] ?? '').slice(0, longestMessage);
}

/** Stores an unexpected error. Never fails: if the database is unavailable, the log still has it. */
export async function recordUnexpectedError(
  app: App,
  { source, place, requestId, error }: UnexpectedError,
): Promise<void> {
  const now = app.clock.now();
  try {
    await sql`insert into fault (at, source, place, request_id, message) select ${now}, ${source}, ${place}, ${requestId ?? null}, ${storableMessage(error)}
      where (select count(*) from fault where at > ${new Date(now.getTime() - 60_000)}) < ${maxAMinute}`.execute(
      app.database.kysely,
    );
  } catch (second) {
    app.log.warn({ err: second, place }, 'a fault could not be kept');
  }
}

/** Deletes unexpected errors after {@link retentionDays} days. */
export async function deleteOldUnexpectedErrors(ctx: Ctx): Promise<void> {
  await sql`delete from fault where at < ${new Date(ctx.now.getTime() - retentionDays * dayMs)}`.execute(
    ctx.db,
  );
}
