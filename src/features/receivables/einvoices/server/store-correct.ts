// SQL of an Admin's corrections.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type StoredAllowance = {
  readonly id: Id<'eal'>;
  readonly einvoiceId: Id<'ein'>;
  readonly billId: Id<'bil'>;
  readonly organizationId: Id<'org'>;
  readonly number: string | null;
  readonly state: 'pending' | 'sent' | 'failed' | 'dropped';
  readonly sentAt: Date | null;
  readonly voidAskedAt: Date | null;
  readonly busyUntil: Date | null;
  readonly isUnsure: boolean;
};
export async function allowanceById(
  ctx: Ctx,
  allowanceId: string,
  lock = false,
): Promise<StoredAllowance | undefined> {
  const { rows } =
    await sql<StoredAllowance>`select id, einvoice_id as "einvoiceId", bill_id as "billId", organization_id as "organizationId", number, state, sent_at as "sentAt", void_asked_at as "voidAskedAt", busy_until as "busyUntil", is_unsure as "isUnsure"
    from einvoice_allowance where id = ${allowanceId} ${lock ? sql`for update` : sql``}`.execute(ctx.db);
  return rows[0];
}

/** Drops an allowance that reached no one. */
export async function dropAllowance(ctx: Ctx, allowanceId: string): Promise<void> {
  await sql`update einvoice_allowance set state = 'dropped', next_at = null where id = ${allowanceId}`.execute(
    ctx.db,
  );
}
/** Requests that an allowance is voided: it no longer counts, and the queue notifies the provider. */
export async function askAllowanceVoid(ctx: Ctx, allowanceId: string, reason: string): Promise<void> {
  await sql`update einvoice_allowance set state = 'sent', void_reason = ${reason}, void_asked_at = ${ctx.now}, next_at = ${ctx.now}, attempts = 0, is_unsure = false where id = ${allowanceId}`.execute(
    ctx.db,
  );
}
/** Withdraws the request for a void that was refused. */
export async function forgetVoid(ctx: Ctx, einvoiceId: string): Promise<void> {
  await sql`update einvoice set void_reason = null, void_asked_at = null, next_at = null, error_code = null, error_words = null, attempts = 0, state = case when uploaded_at is null then 'uploading' else 'uploaded' end where id = ${einvoiceId} and voided_at is null`.execute(
    ctx.db,
  );
}

/**
 * Stores an Admin's information about an allowance: its number at the provider, or that it does not exist
 * there and is sent again.
 */
export async function settleUnknown(ctx: Ctx, allowanceId: string, number: string): Promise<void> {
  await sql`update einvoice_allowance set is_unsure = false, error_code = null, error_words = null, attempts = 0, state = case when ${number} = '' then 'pending' else 'sent' end, number = coalesce(number, nullif(${number}, '')),
      sent_at = case when ${number} = '' then null else ${ctx.now}::timestamptz end, next_at = case when ${number} = '' then ${ctx.now}::timestamptz end where id = ${allowanceId}`.execute(
    ctx.db,
  );
}

/** Stores that the Ministry has an invoice, which ends the queries. */
export async function storeUploaded(ctx: Ctx, einvoiceId: string): Promise<void> {
  await sql`update einvoice set state = 'uploaded', uploaded_at = ${ctx.now}, next_at = null, error_code = null, error_words = null, attempts = 0 where id = ${einvoiceId}`.execute(
    ctx.db,
  );
}
