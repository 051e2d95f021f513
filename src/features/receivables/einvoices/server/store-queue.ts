// SQL of the queue: assigning numbers, claiming what is due for one process, and storing results.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { EinvoiceAttempt, EInvoiceProviderName } from '../contract.ts';
import { readAllowance, type AllowanceDocument, type AllowanceWire } from './document.ts';
import { invoiceColumns, invoiceTables, toStored, type InvoiceRow, type StoredInvoice } from './store.ts';

/** Returns invoices that wait for a number, in order of creation. */
export async function waitingForNumber(
  ctx: Ctx,
  most: number,
): Promise<{ id: Id<'ein'>; kind: StoredInvoice['kind'] }[]> {
  const { rows } = await sql<{
    id: Id<'ein'>;
    kind: StoredInvoice['kind'];
  }>`select id, kind from einvoice where state = 'pending' and not is_unsure order by id limit ${most} for update skip locked`.execute(
    ctx.db,
  );
  return rows;
}

/** Assigns an invoice its permanent number; it is sent at once. */
export async function assignNumber(
  ctx: Ctx,
  einvoiceId: string,
  given: {
    readonly provider: EInvoiceProviderName;
    readonly trackId: string;
    readonly period: string;
    readonly number: string;
    readonly randomCode: string;
    readonly issuedAt: Date;
    readonly dueAt: Date;
  },
): Promise<void> {
  await sql`update einvoice set state = 'issued', provider = ${given.provider}, track_id = ${given.trackId}, period = ${given.period}, number = ${given.number}, random_code = ${given.randomCode}, issued_at = ${given.issuedAt}, due_at = ${given.dueAt},
    next_at = ${ctx.now}, attempts = 0, error_code = null, error_words = null where id = ${einvoiceId}`.execute(
    ctx.db,
  );
}

/** Stores why waiting invoices wait. */
export async function noteWaiting(ctx: Ctx, einvoiceIds: readonly string[], code: string): Promise<void> {
  await sql`update einvoice set error_code = ${code} where id = any(${[...einvoiceIds]}::text[]) and error_code is distinct from ${code}`.execute(
    ctx.db,
  );
}

/** Makes waiting invoices due for a provider that allocates the numbers. */
export async function sendWaiting(ctx: Ctx, provider: EInvoiceProviderName): Promise<void> {
  await sql`update einvoice set provider = ${provider}, next_at = ${ctx.now}, attempts = 0, error_code = null where state = 'pending' and next_at is null and not is_unsure`.execute(
    ctx.db,
  );
}

/** A claimed invoice. `wasUnsure`: the outcome of an earlier attempt is unknown. */
export type ClaimedInvoice = StoredInvoice & { readonly wasUnsure: boolean };

/**
 * Claims invoices with something due until `until`, and records before anything is sent that the outcome is
 * unknown, which is then true for the next process after a crash.
 */
export async function claimInvoices(ctx: Ctx, until: Date, most: number): Promise<ClaimedInvoice[]> {
  const { rows } = await sql<InvoiceRow & { was_unsure: boolean }>`
    with due as (select id, is_unsure from einvoice where next_at <= ${ctx.now} and coalesce(busy_until, '-infinity') <= ${ctx.now} order by next_at, id limit ${most} for update skip locked),
      claimed as (update einvoice e set busy_until = ${until}, is_unsure = e.is_unsure or e.sent_at is null or (e.void_asked_at is not null and e.voided_at is null) from due where e.id = due.id returning e.id)
    select ${invoiceColumns}, due.is_unsure as was_unsure from ${invoiceTables} join due on due.id = i.id join claimed on claimed.id = i.id order by i.id`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...toStored(row), wasUnsure: row.was_unsure }));
}

/** The result of an attempt for an invoice; missing fields are left unchanged. */
export type InvoiceResult = {
  readonly state: StoredInvoice['state'];
  readonly nextAt: Date | null;
  readonly isUnsure: boolean;
  readonly tries: number;
  readonly errorCode: string | null;
  readonly errorWords: string | null;
  readonly sent?: {
    readonly period: string;
    readonly number: string;
    readonly randomCode: string;
    readonly issuedAt: Date;
    readonly dueAt: Date;
  };
  readonly isUploaded?: true;
  readonly isVoided?: true;
};
/** Stores the result of an attempt, and releases the invoice. */
export async function storeInvoiceResult(ctx: Ctx, einvoiceId: string, result: InvoiceResult): Promise<void> {
  const { sent } = result;
  await sql`update einvoice set state = ${result.state}, next_at = ${result.nextAt}, is_unsure = ${result.isUnsure}, attempts = ${result.tries}, error_code = ${result.errorCode}, error_words = ${result.errorWords}, busy_until = null,
      period = coalesce(period, ${sent?.period ?? null}), number = coalesce(number, ${sent?.number ?? null}), random_code = coalesce(random_code, ${sent?.randomCode ?? null}), issued_at = coalesce(issued_at, ${sent?.issuedAt ?? null}::timestamptz), due_at = coalesce(due_at, ${sent?.dueAt ?? null}::timestamptz),
      sent_at = coalesce(sent_at, ${sent ? ctx.now : null}::timestamptz), uploaded_at = coalesce(uploaded_at, ${result.isUploaded ? ctx.now : null}::timestamptz), voided_at = coalesce(voided_at, ${result.isVoided ? ctx.now : null}::timestamptz)
    where id = ${einvoiceId}`.execute(ctx.db);
}

/** An allowance with the invoice that it reduces. */
export type ClaimedAllowance = {
  readonly id: Id<'eal'>;
  readonly state: 'pending' | 'sent';
  readonly number: string | null;
  readonly madeAt: Date;
  readonly document: AllowanceDocument;
  readonly net: bigint;
  readonly tax: bigint;
  readonly voidReason: string | null;
  readonly voidAskedAt: Date | null;
  readonly tries: number;
  readonly wasUnsure: boolean;
  readonly invoice: StoredInvoice;
  /** The other known allowances in force on the invoice. */
  readonly others: readonly { readonly number: string; readonly net: bigint; readonly tax: bigint }[];
};
/**
 * Claims allowances with something due whose invoices were sent; one at a time per invoice, in order, because
 * one with an unknown outcome is identified by excluding the others.
 */
export async function claimAllowances(ctx: Ctx, until: Date, most: number): Promise<ClaimedAllowance[]> {
  const { rows } = await sql<
    InvoiceRow & {
      allowance_id: Id<'eal'>;
      allowance_state: 'pending' | 'sent';
      allowance_number: string | null;
      made_at: Date;
      allowance_document: AllowanceWire;
      allowance_net: bigint;
      allowance_tax: bigint;
      allowance_void_reason: string | null;
      allowance_void_asked_at: Date | null;
      allowance_attempts: number;
      was_unsure: boolean;
      others: { number: string; net: string; tax: string }[];
    }
  >`
    with due as (select a.id, a.is_unsure from einvoice_allowance a join einvoice i on i.id = a.einvoice_id where a.next_at <= ${ctx.now} and coalesce(a.busy_until, '-infinity') <= ${ctx.now} and i.sent_at is not null and not exists (select from einvoice_allowance x where x.einvoice_id = a.einvoice_id and x.id < a.id and x.next_at is not null) order by a.next_at, a.id limit ${most} for update of a skip locked),
      claimed as (update einvoice_allowance a set busy_until = ${until}, is_unsure = true from due where a.id = due.id returning a.*)
    select ${invoiceColumns}, a.id as allowance_id, a.state as allowance_state, a.number as allowance_number, a.made_at, a.document as allowance_document, a.net_minor as allowance_net, a.tax_minor as allowance_tax, a.void_reason as allowance_void_reason, a.void_asked_at as allowance_void_asked_at,
      a.attempts as allowance_attempts, due.is_unsure as was_unsure,
      coalesce((select jsonb_agg(jsonb_build_object('number', x.number, 'net', x.net_minor::text, 'tax', x.tax_minor::text) order by x.id) from einvoice_allowance x where x.einvoice_id = a.einvoice_id and x.id <> a.id and x.sent_at is not null and x.voided_at is null), '[]') as others
    from claimed a join due on due.id = a.id, ${invoiceTables} where i.id = a.einvoice_id order by a.id`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    id: row.allowance_id,
    state: row.allowance_state,
    number: row.allowance_number,
    madeAt: row.made_at,
    document: readAllowance(row.allowance_document),
    net: row.allowance_net,
    tax: row.allowance_tax,
    voidReason: row.allowance_void_reason,
    voidAskedAt: row.allowance_void_asked_at,
    tries: row.allowance_attempts,
    wasUnsure: row.was_unsure,
    invoice: toStored(row),
    others: row.others.map((other) => ({
      number: other.number,
      net: BigInt(other.net),
      tax: BigInt(other.tax),
    })),
  }));
}

export type AllowanceResult = {
  readonly state: 'pending' | 'sent' | 'failed';
  readonly nextAt: Date | null;
  readonly isUnsure: boolean;
  readonly tries: number;
  readonly errorCode: string | null;
  readonly errorWords: string | null;
  readonly number?: string;
  readonly isVoided?: true;
};
export async function storeAllowanceResult(
  ctx: Ctx,
  allowanceId: string,
  result: AllowanceResult,
): Promise<void> {
  await sql`update einvoice_allowance set state = ${result.state}, next_at = ${result.nextAt}, is_unsure = ${result.isUnsure}, attempts = ${result.tries}, error_code = ${result.errorCode}, error_words = ${result.errorWords}, busy_until = null,
      number = coalesce(number, ${result.number ?? null}), sent_at = coalesce(sent_at, ${result.number === undefined ? null : ctx.now}::timestamptz), voided_at = coalesce(voided_at, ${result.isVoided ? ctx.now : null}::timestamptz)
    where id = ${allowanceId}`.execute(ctx.db);
}

/** Stores an attempt for the history. */
export async function insertAttempt(
  ctx: Ctx,
  einvoiceId: string,
  allowanceId: string | null,
  attempt: Pick<EinvoiceAttempt, 'action' | 'outcome' | 'code' | 'words'>,
): Promise<void> {
  await sql`insert into einvoice_attempt (einvoice_id, allowance_id, at, action, outcome, code, words) values (${einvoiceId}, ${allowanceId}, ${ctx.now}, ${attempt.action}, ${attempt.outcome}, ${attempt.code}, ${attempt.words})`.execute(
    ctx.db,
  );
}

/** Makes everything of an invoice that did not succeed due now; returns whether there was anything. */
export async function makeDue(ctx: Ctx, einvoiceId: string): Promise<boolean> {
  const { rows: invoices } =
    await sql`update einvoice set attempts = 0, error_words = null, error_code = null,
      state = case when state <> 'failed' then state when sent_at is not null then case when uploaded_at is null then 'uploading' else 'uploaded' end when number is null then 'pending' else 'issued' end,
      next_at = case when state = 'failed' and sent_at is null and number is null and not is_unsure then null else ${ctx.now}::timestamptz end
    where id = ${einvoiceId} and state <> 'dropped' and coalesce(busy_until, '-infinity') <= ${ctx.now} and (state = 'failed' or next_at is not null) returning 1`.execute(
      ctx.db,
    );
  const { rows: allowances } =
    await sql`update einvoice_allowance set attempts = 0, error_code = null, error_words = null, state = case when state <> 'failed' then state when sent_at is null then 'pending' else 'sent' end, next_at = ${ctx.now}
    where einvoice_id = ${einvoiceId} and state <> 'dropped' and coalesce(busy_until, '-infinity') <= ${ctx.now} and (state = 'failed' or next_at is not null) returning 1`.execute(
      ctx.db,
    );
  return invoices.length + allowances.length > 0;
}

export type LateInvoice = { readonly id: Id<'ein'>; readonly number: string | null; readonly dueAt: Date };
/**
 * Returns invoices that are not with the Ministry although their deadline is before a given time, each only
 * once.
 */
export async function takeLate(ctx: Ctx, before: Date): Promise<LateInvoice[]> {
  const { rows } =
    await sql<LateInvoice>`update einvoice set warned_at = ${ctx.now} where uploaded_at is null and due_at < ${before} and warned_at is null and voided_at is null and state <> 'dropped' returning id, number, due_at as "dueAt"`.execute(
      ctx.db,
    );
  return rows;
}
