// SQL of trials that end soon.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type EndingTrial = {
  readonly id: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly service: string;
  readonly endsAt: Date;
  readonly timeZone: string;
};

/**
 * Returns trials of running subscriptions that end before a given time, after a given one, by id. A trial
 * that ends together with its subscription is left out, because no fee follows.
 */
export async function trialsEnding(
  ctx: Ctx,
  before: Date,
  after: string,
  limit: number,
): Promise<EndingTrial[]> {
  const { rows } =
    await sql<EndingTrial>`select b.id, b.organization_id as "organizationId", s.name as service, b.trial_ends_at as "endsAt", o.time_zone as "timeZone"
    from subscription b join service s on s.id = b.service_id join organization o on o.id = b.organization_id
    where b.state = 'active' and b.trial_ends_at > ${ctx.now} and b.trial_ends_at <= ${before} and (b.ends_at is null or b.ends_at > b.trial_ends_at) and b.id > ${after} order by b.id limit ${limit}`.execute(
      ctx.db,
    );
  return rows;
}
