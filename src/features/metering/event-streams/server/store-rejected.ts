// SQL of rejected messages.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import {
  allOf,
  containsPattern,
  readPage,
  type ListOrder,
  type SearchInput,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type RejectedRow = {
  id: Id<'esr'>;
  position: string;
  /** The default id of its event if the mapping does not set one. */
  positionId: string | null;
  /** The index of the event within the message; 0 for the message itself. */
  place: number;
  topic: string;
  code: string;
  params: TextParams;
  payload: string;
  isComplete: boolean;
  sentAt: Date;
  receivedAt: Date;
};
export type NewRejection = Omit<RejectedRow, 'id' | 'receivedAt'>;

/** Stores messages with their reasons; a message that is redelivered or rejected again replaces itself. */
export async function keepRejected(
  ctx: Ctx,
  streamId: string,
  rejected: readonly NewRejection[],
): Promise<void> {
  if (rejected.length === 0) return;
  const rows = [...new Map(rejected.map((each) => [`${each.position} ${each.place}`, each])).values()];
  await sql`insert into event_stream_rejected (id, stream_id, position, position_id, place, topic, code, params, payload, is_complete, sent_at, received_at)
    select id, ${streamId}, position, position_id, place, topic, code, params::jsonb, payload, is_complete, sent_at, ${ctx.now} from unnest(
      ${rows.map(() => ctx.newId('esr'))}::text[], ${rows.map((each) => each.position)}::text[], ${rows.map((each) => each.positionId)}::text[], ${rows.map((each) => each.place)}::int[], ${rows.map((each) => each.topic)}::text[], ${rows.map((each) => each.code)}::text[],
      ${rows.map((each) => JSON.stringify(each.params))}::text[], ${rows.map((each) => each.payload)}::text[], ${rows.map((each) => each.isComplete)}::bool[], ${rows.map((each) => each.sentAt)}::timestamptz[])
      as n (id, position, position_id, place, topic, code, params, payload, is_complete, sent_at)
    on conflict (stream_id, position, place) do update set code = excluded.code, params = excluded.params, payload = excluded.payload, is_complete = excluded.is_complete`.execute(
    ctx.db,
  );
}

const columns = sql<RejectedRow>`r.id, r.position, r.position_id as "positionId", r.place, r.topic, r.code, r.params, r.payload, r.is_complete as "isComplete", r.sent_at as "sentAt", r.received_at as "receivedAt"`;
const order: ListOrder = {
  by: {
    receivedAt: { expression: sql`r.received_at`, cast: 'timestamptz' },
    code: { expression: sql`r.code`, cast: 'text' },
  },
  usual: '-receivedAt',
  id: sql`r.id`,
};

/** Returns one page of a stream's rejected messages. */
export const pageOfRejected = <T>(
  ctx: Ctx,
  streamId: string,
  input: SearchInput,
  toItem: (row: RejectedRow) => T,
): Promise<Page<T>> =>
  readPage(
    ctx.db,
    input,
    {
      columns,
      from: sql`event_stream_rejected r`,
      where: allOf(
        sql`r.stream_id = ${streamId}`,
        input.q && sql`(r.topic || E'\n' || r.payload) ilike ${containsPattern(input.q)}`,
      ),
      order,
    },
    toItem,
  );

/** Returns what to retry: one message, or the oldest that are stored completely. */
export async function rejectedToTry(
  ctx: Ctx,
  streamId: string,
  rejectedId: string | undefined,
  limit: number,
  after: string,
): Promise<RejectedRow[]> {
  const { rows } =
    await sql<RejectedRow>`select ${columns} from event_stream_rejected r where r.stream_id = ${streamId} and ${rejectedId === undefined ? sql`r.is_complete and r.id > ${after}` : sql`r.id = ${rejectedId}`} order by r.id limit ${limit} for update`.execute(
      ctx.db,
    );
  return rows;
}

/** Deletes messages, all of the stream if none are given; returns how many there were. */
export async function deleteRejected(
  ctx: Ctx,
  streamId: string,
  ids: readonly string[] | undefined,
): Promise<number> {
  const { rows } =
    await sql`delete from event_stream_rejected where stream_id = ${streamId} ${ids ? sql`and id = any(${[...ids]}::text[])` : sql``} returning 1`.execute(
      ctx.db,
    );
  return rows.length;
}

export const countRejected = (ctx: Ctx, streamId: string): Promise<number> =>
  readTotal(ctx.db, { from: sql`event_stream_rejected`, where: sql`stream_id = ${streamId}` });
