// Unexpected errors of the console, stored for its operators: the log has them in full, a row says that one happened, and where.
import { sql } from 'kysely';
import { credentialsHidden } from '../log.ts';
import type { Ctx, App } from '../unit-of-work/ctx.ts';

export type UnexpectedError = {
  readonly source: 'request' | 'job';
  readonly place: string;
  readonly requestId?: string;
  readonly error: unknown;
};

const longestMessage = 300;
/** More in a minute say nothing new, and must not add to the trouble. */
const maxAMinute = 60;
const retentionDays = 30;

/** What may be stored of an error: its name and first line, without credentials. Rows' values stand in other fields of a database's error. */
export function storableMessage(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return credentialsHidden(text.split('\n')[0] ?? '').slice(0, longestMessage);
}

/** Stores an unexpected error. Never fails: without a database there is the log. */
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
  await sql`delete from fault where at < ${new Date(ctx.now.getTime() - retentionDays * 86_400_000)}`.execute(
    ctx.db,
  );
}
