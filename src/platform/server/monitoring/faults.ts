// Faults of the console itself, kept for its operators: the log has them whole, this says that and where there were any.
import { sql } from 'kysely';
import { credentialsHidden } from '../log.ts';
import type { Ctx, App } from '../unit-of-work/ctx.ts';

export type Fault = {
  readonly source: 'request' | 'job';
  readonly place: string;
  readonly requestId?: string;
  readonly error: unknown;
};

const longestMessage = 300;
/** More in a minute say nothing new, and must not add to the trouble. */
const maxAMinute = 60;
const retentionDays = 30;

/** What may be kept of an error: its name and first line, without credentials. Rows' values stand in other fields of a database's error. */
export function faultMessage(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return credentialsHidden(text.split('\n')[0] ?? '').slice(0, longestMessage);
}

/** Keeps a fault. Never fails: without a database there is the log. */
export async function recordFault(app: App, { source, place, requestId, error }: Fault): Promise<void> {
  const now = app.clock.now();
  try {
    await sql`insert into fault (at, source, place, request_id, message) select ${now}, ${source}, ${place}, ${requestId ?? null}, ${faultMessage(error)}
      where (select count(*) from fault where at > ${new Date(now.getTime() - 60_000)}) < ${maxAMinute}`.execute(
      app.database.kysely,
    );
  } catch (second) {
    app.log.warn({ err: second, place }, 'a fault could not be kept');
  }
}

/** Forgets faults after {@link retentionDays} days. */
export async function deleteOldFaults(ctx: Ctx): Promise<void> {
  await sql`delete from fault where at < ${new Date(ctx.now.getTime() - retentionDays * 86_400_000)}`.execute(
    ctx.db,
  );
}
