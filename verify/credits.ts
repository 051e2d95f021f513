// Checks of credit notes and voids: they add up, stay below their bill and are in the ledger once (I5).
import { createHash } from 'node:crypto';
import { booked, deferredOf, trueUp } from './bills.ts';
import {
  byStatement,
  collector,
  numberOf,
  owned,
  streamOf,
  userOf,
  type Books,
  type Check,
  type Outcome,
} from './books.ts';
import { major } from './content.ts';

/** A database older than credit notes has none. */
const hasCredits = (books: Books): boolean =>
  books.has('credit_note.to_due_minor') && books.has('bill_void.to_due_minor');
const nothing: Outcome = { examined: '0', findings: [], found: 0, notes: [] };
const onceThereAre =
  (run: Check['run']): Check['run'] =>
  (books) =>
    hasCredits(books) ? run(books) : Promise.resolve(nothing);
const all = (): string =>
  `select (select count(*) from credit_note where ${owned('organization_id')}) + (select count(*) from bill_void where ${owned('organization_id')})`;

const creditsAddUp: Check = {
  id: 'credit-sums',
  invariants: ['I5'],
  title: 'Credit notes equal the sum of their lines, and no bill is credited for more than its total',
  unit: 'credit notes and voids',
  isPerOrganization: true,
  run: onceThereAre(
    byStatement(
      all,
      (books) => `
      select 'credit_lines_differ' as code, n.number as subject, n.net_minor || ' / ' || n.tax_minor as expected, coalesce(l.net, 0) || ' / ' || coalesce(l.tax, 0) as actual
        from credit_note n left join (select credit_note_id, sum(net_minor) as net, sum(tax_minor) as tax from credit_note_line group by 1) l on l.credit_note_id = n.id
        where ${owned('n.organization_id')} and (n.net_minor, n.tax_minor) is distinct from (coalesce(l.net, 0), coalesce(l.tax, 0))
      union all select 'credit_total_differs', number, (net_minor + tax_minor)::text, (to_due_minor + to_balance_minor) || ' / ' || total_minor from credit_note
        where ${owned('organization_id')} and (total_minor <> net_minor + tax_minor or total_minor <> to_due_minor + to_balance_minor)
      union all select 'credited_differs', b.number, coalesce(n.due, 0) || ' / ' || coalesce(n.balance, 0), b.credited_minor || ' / ' || ${books.has('bill.returned_minor') ? 'b.returned_minor' : 'coalesce(n.balance, 0)'}
        from bill b left join (select bill_id, sum(to_due_minor) as due, sum(to_balance_minor) as balance from credit_note group by 1) n on n.bill_id = b.id
        where ${owned('b.organization_id')} and (b.credited_minor <> coalesce(n.due, 0) ${books.has('bill.returned_minor') ? 'or b.returned_minor <> coalesce(n.balance, 0)' : ''})
      union all select 'credited_above_bill', b.number, b.total_minor::text, sum(n.total_minor)::text from bill b join credit_note n on n.bill_id = b.id where ${owned('b.organization_id')} group by b.number, b.total_minor having sum(n.total_minor) > b.total_minor
      union all select 'void_differs', b.number, (b.total_minor - coalesce((select sum(total_minor) from credit_note n where n.bill_id = b.id), 0))::text, coalesce((v.net_minor + v.tax_minor)::text, '') from bill b left join bill_void v on v.bill_id = b.id
        where ${owned('b.organization_id')} and case when b.state = 'void' then v.net_minor + v.tax_minor is distinct from b.total_minor - coalesce((select sum(total_minor) from credit_note n where n.bill_id = b.id), 0) else v.bill_id is not null end`,
    ),
  ),
};

const own = `('tax', null, c.tax_minor), ('receivable', c.organization_id, -c.to_due_minor), ('balance', c.organization_id, -c.to_balance_minor)`;
/** What credit notes took of what was missing of commitments. */
const ofTrueUps = (notes: string): string =>
  `(select coalesce(sum(n.net_minor), 0)::bigint from credit_note_line n join bill_line l on l.bill_id = n.bill_id and l.position = n.position where l.kind = 'true_up' and ${notes})`;
const ofNote = ofTrueUps('n.credit_note_id = c.id');
/** What was no revenue yet is taken back of what is owed as service, so the schedule has it below zero. */
const noted = (books: Books): string =>
  `join bill b on b.id = c.bill_id cross join lateral (${deferredOf(books, 'c.bill_id', 'and s.source = c.id')}) d cross join lateral (values ('revenue', null, c.net_minor - ${ofNote} + d.deferred), ('breakage', null, ${ofNote}), ('deferred_revenue', ${userOf(books, 'b')}, -d.deferred), ${own}) as entry (kind, owner, minor) where ${owned('c.organization_id')} or d.deferred <> 0 and ${owned(userOf(books, 'b'))}`;
/** Voiding also reverses what discounts took off, and gives promotional and prepaid credit back. */
const voided = (books: Books): string => {
  const rest = `(${trueUp(books)} - ${ofTrueUps('n.bill_id = b.id')})`;
  return books.has('bill_void.to_prepaid_minor')
    ? `join bill b on b.id = c.bill_id cross join lateral (${deferredOf(books, 'c.bill_id', `and s.source = 'void'`)}) d cross join lateral (values ('revenue', null, c.net_minor + b.discount_minor + b.promotional_minor - ${rest} + d.deferred), ('breakage', null, ${rest}), ('discounts', null, -b.discount_minor),
        ('promotional_credit', ${userOf(books, 'b')}, -b.promotional_minor), ('deferred_revenue', ${userOf(books, 'b')}, -c.to_prepaid_minor - d.deferred), ${own}) as entry (kind, owner, minor) where ${owned('c.organization_id')} or (b.promotional_minor <> 0 or c.to_prepaid_minor + d.deferred <> 0) and ${owned(userOf(books, 'b'))}`
    : `cross join lateral (values ('revenue', null, c.net_minor), ${own}) as entry (kind, owner, minor) where ${owned('c.organization_id')}`;
};
const creditsAreBooked: Check = {
  id: 'credits-booked',
  invariants: ['I5'],
  title: 'Every credit note and void is in the ledger once, with the same amounts',
  unit: 'credit notes and voids',
  isPerOrganization: true,
  run: onceThereAre(async (books) => {
    const [notes, voids] = [
      await byStatement(all, (noteBooks) =>
        booked(
          `'credit_note'`,
          `select c.id as reference, entry.kind, entry.owner, c.currency, entry.minor from credit_note c ${noted(noteBooks)}`,
          {
            missing: 'credit_not_booked',
            extra: 'booking_without_credit',
            differs: 'credit_booked_differently',
          },
        ),
      )(books),
      await byStatement(
        () => 'select 0',
        (voidBooks) =>
          booked(
            `'void'`,
            `select c.bill_id as reference, entry.kind, entry.owner, c.currency, entry.minor from bill_void c ${voided(voidBooks)}`,
            { missing: 'void_not_booked', extra: 'booking_without_void', differs: 'void_booked_differently' },
          ),
      )(books),
    ];
    return { ...notes, findings: [...notes.findings, ...voids.findings], found: notes.found + voids.found };
  }),
};

type StoredNote = {
  number: string;
  bill_id: string;
  bill_number: string;
  organization_id: string;
  currency: string;
  reason: string;
  net: string;
  tax: string;
  total: string;
  to_due: string;
  to_balance: string;
  content_hash: string;
  lines: string;
};
const statement = (
  where: string,
): string => `select n.number, n.bill_id, b.number as bill_number, n.organization_id, n.currency, n.reason, n.net_minor::text as net, n.tax_minor::text as tax, n.total_minor::text as total, n.to_due_minor::text as to_due, n.to_balance_minor::text as to_balance, n.content_hash,
    (select coalesce(jsonb_agg(jsonb_build_array(position::text, net_minor::text, tax_minor::text) order by position), '[]')::text from credit_note_line where credit_note_id = n.id) as lines
  from credit_note n join bill b on b.id = n.bill_id where ${where} order by n.id`;

async function run(books: Books): Promise<Outcome> {
  const { add, result } = collector();
  const ofOrganization =
    books.organization === null
      ? 'true'
      : `n.organization_id = ${books.client.escapeLiteral(books.organization)}`;
  for await (const note of streamOf<StoredNote>(books, 'credits_again', statement(ofOrganization), 100)) {
    const amounts = [note.net, note.tax, note.total, note.to_due, note.to_balance].map((minor) =>
      major(minor, note.currency),
    );
    const content = JSON.stringify([
      note.number,
      note.bill_id,
      note.bill_number,
      note.organization_id,
      note.currency,
      note.reason,
      ...amounts,
      JSON.parse(note.lines),
    ]);
    const digest = createHash('sha256').update(content).digest('hex');
    if (digest !== note.content_hash)
      add({ code: 'credit_changed', subject: note.number, expected: note.content_hash, actual: digest });
  }
  return {
    examined: await numberOf(books, `select count(*) from credit_note where ${owned('organization_id')}`),
    ...result(),
    notes: [],
  };
}

const creditContent: Check = {
  id: 'credit-content',
  invariants: ['I5'],
  title: 'Every credit note is unchanged since it was issued',
  unit: 'credit notes',
  isPerOrganization: true,
  run: onceThereAre(run),
};

export const creditChecks: readonly Check[] = [creditsAddUp, creditsAreBooked, creditContent];
