// SQL of credits: credit notes and their lines, voids, replacements and remarks.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { BillHistory, BillNote, BillVoid, CreditNote, credits } from '../contract.ts';
import type { CreditedAmount } from '../rules.ts';

type NoteRow = {
  id: Id<'crn'>;
  number: string;
  bill_id: Id<'bil'>;
  bill_number: string;
  organization_id: Id<'org'>;
  organization: string;
  month: BillingMonth;
  issued_at: Date;
  reason: string;
  currency: Currency;
  net_minor: bigint;
  tax_minor: bigint;
  total_minor: bigint;
  to_due_minor: bigint;
  to_balance_minor: bigint;
};
const columns = sql<NoteRow>`n.id, n.number, n.bill_id, b.number as bill_number, n.organization_id, o.name as organization, b.month, n.issued_at, n.reason, n.currency, n.net_minor, n.tax_minor, n.total_minor, n.to_due_minor, n.to_balance_minor`;
const tables = sql`credit_note n join bill b on b.id = n.bill_id join organization o on o.id = n.organization_id`;

const amountsOf = (row: {
  currency: Currency;
  net_minor: bigint;
  tax_minor: bigint;
  to_due_minor: bigint;
  to_balance_minor: bigint;
}): Pick<BillVoid, 'net' | 'tax' | 'total' | 'toDue' | 'toBalance'> => {
  const amount = (minor: bigint) => money(minor, row.currency);
  return {
    net: amount(row.net_minor),
    tax: amount(row.tax_minor),
    total: amount(row.net_minor + row.tax_minor),
    toDue: amount(row.to_due_minor),
    toBalance: amount(row.to_balance_minor),
  };
};
const toNote = (row: NoteRow): CreditNote => ({
  id: row.id,
  number: row.number,
  billId: row.bill_id,
  billNumber: row.bill_number,
  organizationId: row.organization_id,
  organization: row.organization,
  month: row.month,
  issuedAt: row.issued_at,
  reason: row.reason,
  currency: row.currency,
  ...amountsOf(row),
});

/** Returns the credited amounts of each line of a bill, by the line's id. */
export async function creditedByLine(
  ctx: Ctx,
  billId: string,
): Promise<ReadonlyMap<string, { net: bigint; tax: bigint }>> {
  const { rows } = await sql<{
    position: number;
    net: bigint;
    tax: bigint;
  }>`select position, sum(net_minor)::bigint as net, sum(tax_minor)::bigint as tax from credit_note_line where bill_id = ${billId} group by 1`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [String(row.position), { net: row.net, tax: row.tax }]));
}

/**
 * Takes the next number of a series. Other transactions that need one wait until this one ends, so that
 * numbers are gapless.
 */
export async function takeNumber(ctx: Ctx, series: string): Promise<number> {
  const { rows } = await sql<{
    last_number: number;
  }>`insert into credit_series as s (series, last_number) values (${series}, 1) on conflict (series) do update set last_number = s.last_number + 1 returning last_number`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new Error('a series gives a number');
  return rows[0].last_number;
}

export type NewCreditNote = {
  id: Id<'crn'>;
  billId: Id<'bil'>;
  organizationId: Id<'org'>;
  currency: Currency;
  series: string;
  sequence: number;
  number: string;
  issuedBy: Id<'usr'>;
  issuerName: string;
  reason: string;
  netMinor: bigint;
  taxMinor: bigint;
  toDueMinor: bigint;
  toBalanceMinor: bigint;
  contentHash: string;
  taken: readonly CreditedAmount[];
};

/** Stores a credit note with its lines. */
export async function insertCreditNote(ctx: Ctx, note: NewCreditNote): Promise<void> {
  await sql`insert into credit_note (id, bill_id, organization_id, currency, series, sequence, number, issued_at, issued_by, issuer_name, reason, net_minor, tax_minor, total_minor, to_due_minor, to_balance_minor, content_hash)
    values (${note.id}, ${note.billId}, ${note.organizationId}, ${note.currency}, ${note.series}, ${note.sequence}, ${note.number}, ${ctx.now}, ${note.issuedBy}, ${note.issuerName}, ${note.reason},
      ${note.netMinor}, ${note.taxMinor}, ${note.netMinor + note.taxMinor}, ${note.toDueMinor}, ${note.toBalanceMinor}, ${note.contentHash})`.execute(
    ctx.db,
  );
  await sql`insert into credit_note_line (credit_note_id, bill_id, position, net_minor, tax_minor) select ${note.id}, ${note.billId}, * from unnest(${note.taken.map((each) => Number(each.id))}::int[], ${note.taken.map((each) => each.net)}::bigint[], ${note.taken.map((each) => each.tax)}::bigint[])`.execute(
    ctx.db,
  );
}

/** Returns one credit note; with an organization, only that organization's. */
export async function creditNoteById(
  ctx: Ctx,
  creditNoteId: string,
  organizationId: string | null,
): Promise<CreditNote | undefined> {
  const { rows } =
    await sql<NoteRow>`select ${columns} from ${tables} where n.id = ${creditNoteId} and (${organizationId}::text is null or n.organization_id = ${organizationId})`.execute(
      ctx.db,
    );
  return rows[0] && toNote(rows[0]);
}

/** Returns the amounts of a credit note by line, in the bill's order. */
export async function linesOfNote(ctx: Ctx, creditNoteId: string): Promise<CreditedAmount[]> {
  const { rows } = await sql<{
    position: number;
    net: bigint;
    tax: bigint;
  }>`select position, net_minor as net, tax_minor as tax from credit_note_line where credit_note_id = ${creditNoteId} order by position`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ id: String(row.position), net: row.net, tax: row.tax }));
}

const noteOrder: ListOrder = {
  by: {
    issuedAt: { expression: sql`n.issued_at`, cast: 'timestamptz' },
    number: { expression: sql`n.number`, cast: 'text' },
    total: { expression: sql`n.total_minor`, cast: 'bigint' },
  },
  usual: '-issuedAt',
  id: sql`n.id`,
};

/** Returns one page of credit notes of an organization (null: of all) with the exact total. */
export function pageOfCreditNotes(
  ctx: Ctx,
  organizationId: string | null,
  input: In<typeof credits.listCreditNotes>,
): Promise<Page<CreditNote>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns,
    from: tables,
    where: allOf(
      organizationId && sql`n.organization_id = ${organizationId}`,
      pattern && sql`(n.number ilike ${pattern} or b.number ilike ${pattern} or o.name ilike ${pattern})`,
    ),
    order: noteOrder,
    counter: input.q || organizationId ? undefined : rowsCounted('credit_note'),
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, toNote);
}

export type NewVoid = {
  billId: Id<'bil'>;
  organizationId: Id<'org'>;
  currency: Currency;
  voidedBy: Id<'usr'>;
  voiderName: string;
  reason: string;
  netMinor: bigint;
  taxMinor: bigint;
  toDueMinor: bigint;
  toBalanceMinor: bigint;
  toPrepaidMinor: bigint;
};

/** Stores who voided a bill and why, and the reversed amounts. */
export async function insertVoid(ctx: Ctx, made: NewVoid): Promise<void> {
  await sql`insert into bill_void (bill_id, organization_id, currency, voided_at, voided_by, voider_name, reason, net_minor, tax_minor, to_due_minor, to_balance_minor, to_prepaid_minor)
    values (${made.billId}, ${made.organizationId}, ${made.currency}, ${ctx.now}, ${made.voidedBy}, ${made.voiderName}, ${made.reason}, ${made.netMinor}, ${made.taxMinor}, ${made.toDueMinor}, ${made.toBalanceMinor}, ${made.toPrepaidMinor})`.execute(
    ctx.db,
  );
}

/** Stores which bill replaces a void one. */
export async function insertReplacement(ctx: Ctx, billId: string, replacedBy: string): Promise<void> {
  await sql`insert into bill_replacement (bill_id, replaced_by) values (${billId}, ${replacedBy})`.execute(
    ctx.db,
  );
}

/** Adds a remark to a bill. */
export async function insertBillNote(
  ctx: Ctx,
  note: {
    billId: string;
    body: string;
    visibleTo: BillNote['visibleTo'];
    writtenBy: string;
    writerName: string;
  },
): Promise<Id<'bno'>> {
  const noteId = ctx.newId('bno');
  await sql`insert into bill_note (id, bill_id, visible_to, body, written_at, written_by, writer_name) values (${noteId}, ${note.billId}, ${note.visibleTo}, ${note.body}, ${ctx.now}, ${note.writtenBy}, ${note.writerName})`.execute(
    ctx.db,
  );
  return noteId;
}

type Replaced = NonNullable<BillHistory['replacedBy']>;

/** Returns the bill that replaces a void one. */
export async function replacementOf(ctx: Ctx, billId: string): Promise<Replaced | null> {
  const { rows } =
    await sql<Replaced>`select b.id, b.number, b.month from bill_replacement r join bill b on b.id = r.replaced_by where r.bill_id = ${billId}`.execute(
      ctx.db,
    );
  return rows[0] ?? null;
}

async function replacedBy(ctx: Ctx, billId: string): Promise<Replaced | null> {
  const { rows } =
    await sql<Replaced>`select b.id, b.number, b.month from bill_replacement r join bill b on b.id = r.bill_id where r.replaced_by = ${billId}`.execute(
      ctx.db,
    );
  return rows[0] ?? null;
}

async function voidOf(ctx: Ctx, billId: string): Promise<BillVoid | null> {
  const { rows } = await sql<
    Parameters<typeof amountsOf>[0] & {
      reason: string;
      voided_at: Date;
      voider_name: string;
      to_prepaid_minor: bigint;
    }
  >`select currency, reason, voided_at, voider_name, net_minor, tax_minor, to_due_minor, to_balance_minor, to_prepaid_minor from bill_void where bill_id = ${billId}`.execute(
    ctx.db,
  );
  const [row] = rows;
  return row
    ? {
        reason: row.reason,
        voidedAt: row.voided_at,
        by: row.voider_name,
        ...amountsOf(row),
        toPrepaid: money(row.to_prepaid_minor, row.currency),
      }
    : null;
}

async function notesOf(ctx: Ctx, billId: string): Promise<BillNote[]> {
  const { rows } =
    await sql<BillNote>`select id, body, visible_to as "visibleTo", written_at as "writtenAt", writer_name as by from bill_note where bill_id = ${billId} order by id`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns the complete history of a bill; the caller must remove what its reader may not see. */
export async function historyOf(
  ctx: Ctx,
  bill: { readonly id: Id<'bil'>; readonly currency: Currency },
): Promise<BillHistory> {
  const { rows } =
    await sql<NoteRow>`select ${columns} from ${tables} where n.bill_id = ${bill.id} order by n.id`.execute(
      ctx.db,
    );
  const sum = (pick: (row: NoteRow) => bigint) =>
    money(
      rows.reduce((all, row) => all + pick(row), 0n),
      bill.currency,
    );
  return {
    billId: bill.id,
    credited: sum((row) => row.total_minor),
    returned: sum((row) => row.to_balance_minor),
    creditNotes: rows.map(toNote),
    void: await voidOf(ctx, bill.id),
    replaces: await replacedBy(ctx, bill.id),
    replacedBy: await replacementOf(ctx, bill.id),
    notes: await notesOf(ctx, bill.id),
  };
}
