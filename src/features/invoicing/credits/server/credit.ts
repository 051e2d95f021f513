// Partial credit of an issued bill: preview and execution.
import { createHash } from 'node:crypto';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, subtractMoney } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { monthOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { addCredited } from '#features/invoicing/billing/server/index.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { append, lockBalance } from '#features/invoicing/ledger/server/index.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import {
  creditsErrors,
  type CreditAsk,
  type CreditNote,
  type CreditPreview,
  type credits,
} from '../contract.ts';
import { creditNumber, creditOf, creditSeries } from '../rules.ts';
import {
  balanceCredited,
  entriesOf,
  findBill,
  previewOf,
  standingOf,
  takingOf,
  publishBills,
  takeDeferred,
  type CreditableBill,
  type CreditSums,
} from './standing.ts';
import { creditNoteById, insertCreditNote, takeNumber } from './store.ts';

/** Plans what a credit takes from an issued bill; throws if it is not allowed. */
async function planCredit(
  ctx: Ctx,
  billId: string,
  ask: CreditAsk,
  lock: boolean,
): Promise<{ standing: CreditableBill; taking: CreditSums }> {
  const bill = await findBill(ctx, billId, null, lock);
  if (bill.state === 'void') throw domainError(billingErrors, 'billing.bill_void');
  const standing = await standingOf(ctx, bill, { lock });
  const taken = creditOf(standing.lines, bill.currency, ask);
  if (typeof taken === 'string') throw domainError(creditsErrors, taken);
  return { standing, taking: takingOf(standing, taken) };
}

/** Previews a credit note: the lines it takes from, the settlement and the ledger entries. */
export async function previewCredit(
  ctx: Ctx,
  input: In<typeof credits.previewCredit>,
): Promise<CreditPreview> {
  const { standing, taking } = await planCredit(ctx, input.billId, input.what, false);
  return previewOf(standing, taking, subtractMoney(standing.bill.due, taking.toDue));
}

/** Issues a credit note. Takes the locks in the same order as payments: the bill, then the balance. */
export async function issueCredit(ctx: Ctx, input: In<typeof credits.issueCredit>): Promise<CreditNote> {
  const { standing, taking } = await planCredit(ctx, input.billId, input.what, true);
  const { bill } = standing;
  const { organizationId, currency } = bill;
  await lockBalance(ctx, organizationId, currency);
  const id = ctx.newId('crn');
  // It is the seller's document, so its month is the current one in the seller's time zone.
  const series = creditSeries(monthOf(ctx.now, await ctx.setting(timeZoneSetting)));
  const sequence = await takeNumber(ctx, series);
  const number = creditNumber(series, sequence);
  const { userId, name } = person(ctx);
  const content = JSON.stringify([
    number,
    bill.id,
    bill.number,
    organizationId,
    currency,
    input.reason,
    moneyText(taking.net),
    moneyText(taking.tax),
    moneyText(taking.total),
    moneyText(taking.toDue),
    moneyText(taking.toBalance),
    // Lines are stored in the order of the bill, whatever the order in the request.
    taking.taken
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map((line) => [line.id, String(line.net), String(line.tax)]),
  ]);
  await insertCreditNote(ctx, {
    id,
    billId: bill.id,
    organizationId,
    currency,
    series,
    sequence,
    number,
    issuedBy: userId,
    issuerName: name,
    reason: input.reason,
    netMinor: taking.net.minor,
    taxMinor: taking.tax.minor,
    toDueMinor: taking.toDue.minor,
    toBalanceMinor: taking.toBalance.minor,
    contentHash: createHash('sha256').update(content).digest('hex'),
    taken: taking.taken,
  });
  await addCredited(ctx, bill.id, { toDue: taking.toDue.minor, toBalance: taking.toBalance.minor });
  await takeDeferred(ctx, standing, taking, id);
  await append(ctx, [{ kind: 'credit_note', reference: id, entries: entriesOf(standing, taking) }]);
  if (taking.toBalance.minor > 0n) await ctx.emit(balanceCredited, { organizationId });
  ctx.audit('credits.issueCredit', bill.id, {
    creditNote: id,
    number,
    total: moneyText(taking.total),
    currency,
    reason: input.reason,
  });
  publishBills(ctx, organizationId, 'credited');
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        kind: 'bill.credited',
        type: 'payment',
        category: 'billing',
        subject: id,
        period: bill.month,
        textKey: 'credits.notice_credited',
        params: { number, bill: bill.number, amount: moneyText(taking.total), currency },
        link: `/billing/management?month=${bill.month}`,
      },
    },
  ]);
  return required(await creditNoteById(ctx, id, null), 'the credit note that was just issued');
}

/** Credits the remainder of the line for one term, for example a one-off charge. */
export async function creditTerm(
  ctx: Ctx,
  billId: Id<'bil'>,
  termId: string,
  reason: string,
): Promise<CreditNote> {
  const standing = await standingOf(ctx, await findBill(ctx, billId, null, true), { lock: true });
  const found = required(
    standing.billLines.find(({ term }) => term?.id === termId),
    'the line of the term',
  );
  const { net, creditedNet } = required(
    standing.lines.find(({ id }) => id === found.id),
    'the line',
  );
  const rest = money(net - creditedNet, standing.bill.currency);
  return issueCredit(ctx, {
    billId,
    reason,
    what: { kind: 'lines', lines: [{ lineId: found.id, net: rest }] },
  });
}
