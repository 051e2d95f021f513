// SQL of invoices and allowances: creating and reading them.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Allowance, Einvoice, EinvoiceAttempt, einvoices, EInvoiceProviderName } from '../contract.ts';
import { shownState, type SaleLine, type StoredStanding } from '../rules.ts';
import {
  readInvoice,
  readLines,
  writeDocument,
  writeLines,
  type AllowanceDocument,
  type InvoiceDocument,
  type InvoiceWire,
  type LinesWire,
} from './document.ts';

const twd = (minor: bigint): Money => money(minor, 'TWD');

/** An invoice with server-only data. */
export type StoredInvoice = Omit<Einvoice, 'state'> & {
  readonly state: StoredStanding['state'];
  readonly provider: EInvoiceProviderName | null;
  readonly period: string | null;
  readonly randomCode: string | null;
  readonly document: InvoiceDocument;
  readonly lines: readonly SaleLine[];
  readonly sentAt: Date | null;
  readonly voidReason: string | null;
  readonly voidAskedAt: Date | null;
  readonly voidedAt: Date | null;
  readonly tries: number;
  readonly nextAt: Date | null;
  readonly busyUntil: Date | null;
  readonly isUnsure: boolean;
};

export type InvoiceRow = {
  id: Id<'ein'>;
  number: string | null;
  state: StoredStanding['state'];
  kind: Einvoice['kind'];
  organization_id: Id<'org'>;
  organization: string;
  bill_id: Id<'bil'>;
  bill_number: string;
  bill_month: BillingMonth;
  document: InvoiceWire;
  lines: LinesWire;
  provider: EInvoiceProviderName | null;
  period: string | null;
  random_code: string | null;
  created_at: Date;
  issued_at: Date | null;
  due_at: Date | null;
  sent_at: Date | null;
  uploaded_at: Date | null;
  net_minor: bigint;
  tax_minor: bigint;
  total_minor: bigint;
  allowed_minor: bigint;
  void_reason: string | null;
  void_asked_at: Date | null;
  voided_at: Date | null;
  attempts: number;
  next_at: Date | null;
  busy_until: Date | null;
  is_unsure: boolean;
  error_code: string | null;
  error_words: string | null;
};
/** The sum of an invoice's allowances in force. */
const allowed = sql`coalesce((select sum(a.total_minor) from einvoice_allowance a where a.einvoice_id = i.id and a.void_asked_at is null and a.state <> 'dropped'), 0)::bigint`;
export const invoiceColumns = sql<InvoiceRow>`i.id, i.number, i.state, i.kind, i.organization_id, o.name as organization, i.bill_id, b.number as bill_number, b.month as bill_month, i.document, i.lines, i.provider, i.period, i.random_code, i.created_at, i.issued_at, i.due_at, i.sent_at, i.uploaded_at,
  i.net_minor, i.tax_minor, i.total_minor, ${allowed} as allowed_minor, i.void_reason, i.void_asked_at, i.voided_at, i.attempts, i.next_at, i.busy_until, i.is_unsure, i.error_code, i.error_words`;
export const invoiceTables = sql`einvoice i join organization o on o.id = i.organization_id join bill b on b.id = i.bill_id`;

export function toStored(row: InvoiceRow): StoredInvoice {
  const document = readInvoice(row.document);
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    kind: row.kind,
    organizationId: row.organization_id,
    organization: row.organization,
    billId: row.bill_id,
    billNumber: row.bill_number,
    billMonth: row.bill_month,
    buyerName: document.buyer.name,
    taxId: document.buyer.taxId,
    createdAt: row.created_at,
    issuedAt: row.issued_at,
    dueAt: row.due_at,
    uploadedAt: row.uploaded_at,
    net: twd(row.net_minor),
    tax: twd(row.tax_minor),
    total: twd(row.total_minor),
    allowed: twd(row.allowed_minor),
    errorCode: row.error_code,
    errorWords: row.error_words,
    provider: row.provider,
    period: row.period,
    randomCode: row.random_code,
    document,
    lines: readLines(row.lines),
    sentAt: row.sent_at,
    voidReason: row.void_reason,
    voidAskedAt: row.void_asked_at,
    voidedAt: row.voided_at,
    tries: row.attempts,
    nextAt: row.next_at,
    busyUntil: row.busy_until,
    isUnsure: row.is_unsure,
  };
}

/** The fields of an invoice that every reader may see. */
export function shownInvoice(stored: StoredInvoice): Einvoice {
  return {
    id: stored.id,
    number: stored.number,
    state: shownState({ ...stored, allowed: stored.allowed.minor }),
    kind: stored.kind,
    organizationId: stored.organizationId,
    organization: stored.organization,
    billId: stored.billId,
    billNumber: stored.billNumber,
    billMonth: stored.billMonth,
    buyerName: stored.buyerName,
    taxId: stored.taxId,
    createdAt: stored.createdAt,
    issuedAt: stored.issuedAt,
    dueAt: stored.dueAt,
    uploadedAt: stored.uploadedAt,
    net: stored.net,
    tax: stored.tax,
    total: stored.total,
    allowed: stored.allowed,
    errorCode: stored.errorCode,
    errorWords: stored.errorWords,
  };
}

export type NewInvoice = {
  readonly id: Id<'ein'>;
  readonly billId: string;
  readonly organizationId: string;
  readonly kind: Einvoice['kind'];
  readonly taxKind: string;
  readonly document: InvoiceDocument;
  readonly lines: readonly SaleLine[];
  readonly net: bigint;
  readonly tax: bigint;
  /** Why it cannot be issued in its current form. */
  readonly mistake: string | null;
};

/** Stores an invoice that waits for its number, or for its buyer to be corrected. */
export async function insertInvoice(ctx: Ctx, invoice: NewInvoice): Promise<void> {
  await sql`insert into einvoice (id, bill_id, organization_id, state, kind, tax_kind, document, lines, net_minor, tax_minor, total_minor, created_at, error_code)
    values (${invoice.id}, ${invoice.billId}, ${invoice.organizationId}, ${invoice.mistake === null ? 'pending' : 'failed'}, ${invoice.kind}, ${invoice.taxKind}, ${writeDocument(invoice.document)}::jsonb, ${writeLines(invoice.lines)}::jsonb,
      ${invoice.net}, ${invoice.tax}, ${invoice.net + invoice.tax}, ${ctx.now}, ${invoice.mistake})`.execute(
    ctx.db,
  );
}

export type NewAllowance = {
  readonly id: Id<'eal'>;
  readonly einvoiceId: string;
  readonly billId: string;
  readonly organizationId: string;
  readonly source: string;
  readonly document: AllowanceDocument;
  readonly net: bigint;
  readonly tax: bigint;
};
/** Stores an allowance; it is sent after its invoice. */
export async function insertAllowance(ctx: Ctx, one: NewAllowance): Promise<void> {
  await sql`insert into einvoice_allowance (id, einvoice_id, bill_id, organization_id, state, source, made_at, document, net_minor, tax_minor, total_minor, next_at)
    values (${one.id}, ${one.einvoiceId}, ${one.billId}, ${one.organizationId}, 'pending', ${one.source}, ${ctx.now}, ${writeDocument(one.document)}::jsonb, ${one.net}, ${one.tax}, ${one.net + one.tax}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Drops an invoice that reached no one, with its pending allowances. */
export async function dropInvoice(ctx: Ctx, einvoiceId: string): Promise<void> {
  await sql`update einvoice set state = 'dropped', next_at = null where id = ${einvoiceId}`.execute(ctx.db);
  await sql`update einvoice_allowance set state = 'dropped', next_at = null where einvoice_id = ${einvoiceId} and sent_at is null`.execute(
    ctx.db,
  );
}

/** Requests that an invoice is voided: it no longer counts, and the queue notifies the provider. */
export async function askVoid(ctx: Ctx, einvoiceId: string, reason: string): Promise<void> {
  await sql`update einvoice set void_reason = ${reason}, void_asked_at = ${ctx.now}, next_at = ${ctx.now}, attempts = 0 where id = ${einvoiceId}`.execute(
    ctx.db,
  );
}

/**
 * Returns one invoice; with an organization, only that organization's. If locked, nothing else can be decided
 * about it in the meantime.
 */
export async function invoiceById(
  ctx: Ctx,
  einvoiceId: string,
  organizationId: string | null,
  lock = false,
): Promise<StoredInvoice | undefined> {
  // Read after it is locked: its allowances would be those from before whatever this has waited for.
  if (lock) await sql`select 1 from einvoice where id = ${einvoiceId} for update`.execute(ctx.db);
  const { rows } =
    await sql<InvoiceRow>`select ${invoiceColumns} from ${invoiceTables} where i.id = ${einvoiceId} and (${organizationId}::text is null or i.organization_id = ${organizationId})`.execute(
      ctx.db,
    );
  return rows[0] && toStored(rows[0]);
}

export async function invoicesOfBill(ctx: Ctx, billId: string): Promise<StoredInvoice[]> {
  const { rows } =
    await sql<InvoiceRow>`select ${invoiceColumns} from ${invoiceTables} where i.bill_id = ${billId} order by i.id`.execute(
      ctx.db,
    );
  return rows.map(toStored);
}

/** Stores the corrected buyer of an invoice that reached no one, and resumes it. */
export async function storeDocument(
  ctx: Ctx,
  einvoiceId: string,
  { document, kind, mistake }: Pick<NewInvoice, 'document' | 'kind' | 'mistake'>,
): Promise<void> {
  await sql`update einvoice set document = ${writeDocument(document)}::jsonb, kind = ${kind}, error_code = ${mistake}, error_words = null, attempts = 0,
      state = case when ${mistake}::text is not null then 'failed' when number is null then 'pending' else 'issued' end, next_at = case when ${mistake}::text is null and number is not null then ${ctx.now}::timestamptz end
    where id = ${einvoiceId}`.execute(ctx.db);
}

type Filter = Pick<In<typeof einvoices.adminListEinvoices>, 'q' | 'state' | 'kind' | 'period'>;
const isState = (state: NonNullable<Filter['state']>): RawBuilder<unknown> => {
  switch (state) {
    case 'voided':
      return sql`i.voided_at is not null`;
    case 'failed':
    case 'dropped':
      return sql`i.voided_at is null and i.state = ${sql.lit(state)}`;
    case 'voiding':
      return sql`i.voided_at is null and i.void_asked_at is not null and i.state not in ('failed', 'dropped')`;
    case 'allowed':
      return sql`i.void_asked_at is null and i.state not in ('failed', 'dropped', 'pending') and ${allowed} > 0`;
    case 'pending':
      return sql`i.void_asked_at is null and i.state = 'pending'`;
    default:
      return sql`i.void_asked_at is null and i.state = ${sql.lit(state)} and ${allowed} = 0`;
  }
};

/** The condition for the invoices in a list or export. */
export function invoiceFilter(
  organizationId: string | null,
  { q, state, kind, period }: Filter,
): RawBuilder<unknown> {
  const pattern = q ? containsPattern(q) : undefined;
  return allOf(
    organizationId && sql`i.organization_id = ${organizationId}`,
    state && isState(state),
    kind && sql`i.kind = ${sql.lit(kind)}`,
    period && sql`i.period = ${period}`,
    pattern &&
      sql`(i.number ilike ${pattern} or o.name ilike ${pattern} or b.number ilike ${pattern} or i.document -> 'buyer' ->> 'taxId' ilike ${pattern} or i.document -> 'buyer' ->> 'name' ilike ${pattern})`,
  );
}
export const invoiceOrder: ListOrder = {
  by: {
    createdAt: { expression: sql`i.created_at`, cast: 'timestamptz' },
    number: { expression: sql`coalesce(i.number, '')`, cast: 'text' },
    total: { expression: sql`i.total_minor`, cast: 'bigint' },
  },
  usual: '-createdAt',
  id: sql`i.id`,
};

/** Returns one page of invoices of an organization (null: of all). */
export async function pageOfInvoices(
  ctx: Ctx,
  organizationId: string | null,
  input: In<typeof einvoices.adminListEinvoices>,
): Promise<Page<Einvoice>> {
  const list = {
    columns: invoiceColumns,
    from: invoiceTables,
    where: invoiceFilter(organizationId, input),
    order: invoiceOrder,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => shownInvoice(toStored(row)));
}

type AllowanceRow = {
  id: Id<'eal'>;
  number: string | null;
  state: 'pending' | 'sent' | 'failed' | 'dropped';
  einvoice_id: Id<'ein'>;
  einvoice_number: string | null;
  credit_note_id: Id<'crn'> | null;
  credit_note_number: string | null;
  made_at: Date;
  net_minor: bigint;
  tax_minor: bigint;
  total_minor: bigint;
  void_asked_at: Date | null;
  voided_at: Date | null;
  error_code: string | null;
  error_words: string | null;
  is_unsure: boolean;
};
const allowanceState = (row: AllowanceRow): Allowance['state'] => {
  if (row.voided_at) return 'voided';
  if (row.state === 'failed' || row.state === 'dropped') return row.state;
  return row.void_asked_at ? 'voiding' : row.state;
};

/** Returns the allowances of invoices, oldest first. */
export async function allowancesOf(ctx: Ctx, einvoiceIds: readonly string[]): Promise<Allowance[]> {
  const { rows } =
    await sql<AllowanceRow>`select a.id, a.number, a.state, a.einvoice_id, i.number as einvoice_number, n.id as credit_note_id, n.number as credit_note_number, a.made_at, a.net_minor, a.tax_minor, a.total_minor, a.void_asked_at, a.voided_at, a.error_code, a.error_words, a.is_unsure and coalesce(a.busy_until, '-infinity') <= ${ctx.now} as is_unsure
    from einvoice_allowance a join einvoice i on i.id = a.einvoice_id left join credit_note n on n.id = a.source where a.einvoice_id = any(${[...einvoiceIds]}::text[]) order by a.id`.execute(
      ctx.db,
    );
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    state: allowanceState(row),
    einvoiceId: row.einvoice_id,
    einvoiceNumber: row.einvoice_number,
    creditNoteId: row.credit_note_id,
    creditNoteNumber: row.credit_note_number,
    madeAt: row.made_at,
    net: twd(row.net_minor),
    tax: twd(row.tax_minor),
    total: twd(row.total_minor),
    errorCode: row.error_code,
    errorWords: row.error_words,
    isUnsure: row.is_unsure,
  }));
}

/** Returns every attempt for an invoice and its allowances, newest first. */
export async function attemptsOf(ctx: Ctx, einvoiceId: string): Promise<EinvoiceAttempt[]> {
  const { rows } =
    await sql<EinvoiceAttempt>`select t.at, t.action, t.outcome, t.code, t.words, a.number as "allowanceNumber" from einvoice_attempt t left join einvoice_allowance a on a.id = t.allowance_id where t.einvoice_id = ${einvoiceId} order by t.id desc limit 100`.execute(
      ctx.db,
    );
  return rows;
}
