// Check, reserve, commit, release: a hard limit is never exceeded, however many calls reserve concurrently.
import type { In, Out } from '#kernel/contract.ts';
import { decimal, decimalText, zero, type Decimal } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import {
  readEvent,
  rejectionText,
  unmetProperty,
  type EventRejection,
  type MeteredEvent,
} from '#features/metering/usage/rules.ts';
import { isValueTooLarge, maxValueDigits, recordUsage } from '#features/metering/usage/server/index.ts';
import { quotasErrors, ttlSeconds, type quotas } from '../contract.ts';
import { allows, isCountable, isWhole, maxEvents, remainingOf, statusOf, type QuotaUse } from '../rules.ts';
import { checkStanding, thresholdsOf } from './check-quota.ts';
import { requireStanding, scopeOf, type Standing } from './standing.ts';
import { lockMonth } from './store.ts';
import {
  endReservation,
  expireReservations,
  heldReservations,
  insertReservation,
  reservationById,
  type ReservationRow,
} from './store-reservations.ts';

/**
 * The event source of usage from reservations. A reservation's id is its event's id, so deduplication counts
 * it once.
 */
const source = '/reservations';
type Ended = Out<typeof quotas.commitReservation>;

const quantityText = (left: Decimal | null): string | null => (left === null ? null : decimalText(left));
const withMore = ({ used, reserved }: QuotaUse, more: Decimal): QuotaUse => ({
  used,
  reserved: reserved.plus(more),
});

/** Emitted before part of a limit is reserved; handlers refuse by throwing. */
export const reservationAsked = domainEvent<{ readonly organizationId: Id<'org'> }>(
  'quotas.reservationAsked',
);

/** Holds part of what the limit still allows. */
export async function reserve(
  ctx: Ctx,
  input: In<typeof quotas.reserve>,
): Promise<Out<typeof quotas.reserve>> {
  const organizationId = scopeOf(ctx);
  const before = await requireStanding(ctx, input.subscriptionId, organizationId);
  const quantity = decimal(input.quantity);
  assertReservable(before, quantity);
  await ctx.emit(reservationAsked, { organizationId: before.row.organizationId });
  // Read before the lock is taken, to keep the lock short for other reservations.
  const thresholds = await thresholdsOf(ctx);
  const now = await lockedStanding(ctx, before);
  assertAvailable(now, quantity);
  const id = ctx.newId('res');
  const expiresAt = new Date(ctx.now.getTime() + (input.ttlSeconds ?? ttlSeconds.initial) * 1000);
  await insertReservation(ctx, {
    id,
    subscriptionId: now.row.id,
    month: now.row.month,
    quantity: input.quantity,
    reference: input.reference ?? '',
    expiresAt,
  });
  const after = withMore(now, quantity);
  // A reservation only moves usage towards the limit, so well below the thresholds there is no notice to
  // check.
  if (
    now.quota.type !== 'unlimited' &&
    statusOf(after.used.plus(after.reserved), decimal(now.quota.limit), thresholds) !== 'Normal'
  )
    await checkStanding(ctx, now);
  return {
    id,
    quantity: decimalText(quantity),
    remaining: quantityText(remainingOf(now.quota, after)),
    expiresAt,
  };
}

/** The active reservations of a subscription. */
export async function listReservations(
  ctx: Ctx,
  input: In<typeof quotas.listReservations>,
): Promise<Out<typeof quotas.listReservations>> {
  const { row } = await requireStanding(ctx, input.subscriptionId, scopeOf(ctx));
  return { ...(await heldReservations(ctx, row.id)), unit: row.unit };
}

/** Records the used part of a reservation as usage, and releases the rest. */
export async function commitReservation(
  ctx: Ctx,
  input: In<typeof quotas.commitReservation>,
): Promise<Ended> {
  const { held, standing } = await requireReservation(ctx, input.reservationId);
  const quantity = decimal(input.quantity ?? held.used ?? held.quantity);
  if (quantity.gt(decimal(held.quantity)))
    throw domainError(
      quotasErrors,
      'quotas.more_than_reserved',
      { reserved: decimalText(decimal(held.quantity)) },
      ['quantity'],
    );
  if (held.state === 'committed') {
    if (!quantity.eq(decimal(held.used ?? '0')))
      throw domainError(quotasErrors, 'quotas.reservation_committed');
    return {
      id: held.id,
      quantity: decimalText(quantity),
      remaining: quantityText(remainingOf(standing.quota, standing)),
    };
  }
  if (held.state === 'released') throw domainError(quotasErrors, 'quotas.reservation_released');
  if (standing.row.aggregation === 'count' && !isWhole(quantity))
    throw domainError(quotasErrors, 'quotas.whole_only', { most: maxEvents });
  const isOver = held.state === 'expired' || held.expiresAt <= ctx.now;
  // An expired reservation no longer holds its part: it reserves again in the current month, if enough is
  // left.
  if (isOver) {
    assertRunning(standing);
    assertAvailable(standing, quantity);
  }
  const countsAt = isOver ? ctx.now : held.countsAt;
  await endReservation(ctx, held, {
    state: 'committed',
    used: decimalText(quantity),
    month: isOver ? standing.row.month : held.month,
    countsAt,
  });
  await record(ctx, standing, { id: held.id, quantity, time: countsAt, data: input.data });
  return ended(ctx, held, quantity);
}

/** Releases an unused reservation. */
export async function releaseReservation(
  ctx: Ctx,
  input: In<typeof quotas.releaseReservation>,
): Promise<Ended> {
  const { held, standing } = await requireReservation(ctx, input.reservationId);
  if (held.state === 'committed') throw domainError(quotasErrors, 'quotas.reservation_committed');
  if (held.state !== 'released') await endReservation(ctx, held, { state: 'released' });
  ctx.publish(`org/${standing.row.organizationId}/usage`, { kind: 'usage' });
  return ended(ctx, held, zero);
}

/**
 * Returns the quota after the end of a reservation, which may have brought usage back below the thresholds.
 */
async function ended(ctx: Ctx, held: ReservationRow, quantity: Decimal): Promise<Ended> {
  const after = await requireStanding(ctx, held.subscriptionId, scopeOf(ctx));
  await checkStanding(ctx, after);
  return {
    id: held.id,
    quantity: decimalText(quantity),
    remaining: quantityText(remainingOf(after.quota, after)),
  };
}

function assertReservable(standing: Standing, quantity: Decimal): void {
  const { aggregation } = standing.row;
  if (!isCountable(aggregation)) throw domainError(quotasErrors, 'quotas.not_countable', { aggregation });
  if (aggregation === 'count' && !isWhole(quantity))
    throw domainError(quotasErrors, 'quotas.whole_only', { most: maxEvents });
  // A commit records an event, and metering rejects values with this many digits.
  if (isValueTooLarge(decimalText(quantity)))
    throw domainError(quotasErrors, 'quotas.quantity_too_large', { most: maxValueDigits }, ['quantity']);
  assertRunning(standing);
  // Only new holds are refused here: earlier holds are committed like any other usage, where a rejection
  // states its reason.
  if (standing.row.isStopped)
    throw domainError(quotasErrors, 'quotas.credit_used_up', { service: standing.row.serviceName });
}

function assertRunning({ isRunning }: Standing): void {
  if (!isRunning) throw domainError(quotasErrors, 'quotas.not_running');
}

function assertAvailable({ quota, used, reserved, row }: Standing, quantity: Decimal): void {
  if (allows(quota, { used, reserved }, quantity) || quota.type === 'unlimited') return;
  throw domainError(quotasErrors, 'quotas.exhausted', {
    used: decimalText(used),
    reserved: decimalText(reserved),
    limit: quota.limit,
    remaining: quantityText(remainingOf(quota, { used, reserved })) ?? '',
    unit: row.unit,
  });
}

/**
 * Locks a subscription's current month and reads its usage again, because other transactions may have
 * reserved in the meantime.
 */
async function lockedStanding(ctx: Ctx, { row: { id, month } }: Standing): Promise<Standing> {
  await lockMonth(ctx, id, month);
  const standing = await requireStanding(ctx, id, null);
  if (standing.row.hasOverdue) await expireReservations(ctx, id, month);
  return standing;
}

/**
 * Returns a reservation and its subscription's usage, both locked. Months are locked in ascending order to
 * avoid deadlocks: committing a reservation of an earlier month may reserve again in the current one.
 */
async function requireReservation(
  ctx: Ctx,
  reservationId: string,
): Promise<{ held: ReservationRow; standing: Standing }> {
  const organizationId = scopeOf(ctx);
  const reservation = await reservationById(ctx, reservationId, organizationId);
  if (!reservation) throw domainError(quotasErrors, 'quotas.reservation_not_found');
  const before = await requireStanding(ctx, reservation.subscriptionId, organizationId);
  await thresholdsOf(ctx);
  if (reservation.month < before.row.month)
    await lockMonth(ctx, reservation.subscriptionId, reservation.month);
  const standing = await lockedStanding(ctx, before);
  return {
    held: required(await reservationById(ctx, reservationId, organizationId), 'the reservation'),
    standing,
  };
}

type Used = {
  readonly id: string;
  readonly quantity: Decimal;
  readonly time: Date;
  readonly data: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Records a quantity as usage: one event for a sum meter, as many events as the quantity for a count meter.
 * Data in the request is validated like every event's.
 */
async function record(ctx: Ctx, { row }: Standing, { id, quantity, time, data }: Used): Promise<void> {
  // An event that the limited meter's filter excludes would end the hold and count nothing.
  const missing = unmetProperty(row.filter ?? undefined, data ?? null);
  if (missing !== undefined)
    throw domainError(
      quotasErrors,
      'quotas.data_not_counted',
      { property: missing, values: (row.filter?.[missing] ?? []).join(', ') },
      [`data.${missing}`],
    );
  const event = (place: number, value: string): MeteredEvent | EventRejection => {
    const eventId = place === 0 ? id : `${id}/${place + 1}`;
    if (data)
      return readEvent(
        {
          specversion: '1.0',
          source,
          id: eventId,
          type: row.eventType,
          subject: row.id,
          time: time.toISOString(),
          data: { ...data, value },
        },
        ctx.now,
      );
    return {
      source,
      id: eventId,
      type: row.eventType,
      subscriptionId: row.id,
      time,
      isTimed: true,
      value,
      properties: null,
    };
  };
  const events =
    row.aggregation === 'count'
      ? Array.from({ length: Number(quantity.toFixed()) }, (_, place) => event(place, '1'))
      : [event(0, decimalText(quantity))];
  const results = await recordUsage(ctx, events, {
    organizationId: scopeOf(ctx),
    keyId: ctx.actor.kind === 'apiKey' ? ctx.actor.keyId : null,
  });
  const rejected = results.find((result) => result.outcome === 'rejected');
  if (rejected?.outcome === 'rejected')
    throw domainError(quotasErrors, 'quotas.usage_refused', {
      reason: rejectionText(ctx.text, rejected.code, rejected.params),
    });
}
