// Creates the invoices and allowances that bills need after a bill was issued, paid, credited or voided, each
// bill in its own unit of work.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billById, type IssuedBill, type LoweredBills } from '#features/invoicing/billing/server/index.ts';
import type { BuyerChoice, EInvoiceProviderName } from '../contract.ts';
import {
  buyerMistakes,
  keptBy,
  periodOf,
  planSteps,
  splitLines,
  type NetAndTax,
  type PlannedStep,
} from '../rules.ts';
import {
  addsUp,
  allowanceOf,
  invoiceOf,
  itemsOfBill,
  mostItems,
  partOfBill,
  taxKindsOf,
  taxKindOf,
  type Bill,
  type InvoiceDocument,
} from './document.ts';
import { notifyFailed, publishInvoices } from './notices.ts';
import { einvoiceSetting, isOn, sellerParty } from './settings.ts';
import { askVoid, dropInvoice, insertAllowance, insertInvoice, invoiceById } from './store.ts';
import {
  changedBills,
  coverBills,
  creditsOf,
  isBeingCanceled,
  lookAgain,
  preferenceOf,
  standingInvoices,
  takeChanged,
  type CoveredBill,
  type CreditTaken,
} from './store-bills.ts';

export const einvoiceActor = { kind: 'system', name: 'einvoices' } as const;
const billsAtOnce = 200;
/** The source of an allowance that cancels an invoice which is replaced by a new one. */
export const undoneSource = 'undone';

/** Registers issued bills, in the transaction that issues them; handles billing's event. */
export async function coverIssued(ctx: Ctx, bills: readonly IssuedBill[]): Promise<void> {
  if (!(await isOn(ctx))) return;
  const { companies, consumers } = await ctx.setting(einvoiceSetting);
  await coverBills(
    ctx,
    bills.map(({ id }) => id),
    { companies, consumers },
  );
}

/** Queues bills that were paid, credited or voided; handles billing's event. */
export async function queueLowered(ctx: Ctx, { billIds }: LoweredBills): Promise<void> {
  await lookAgain(ctx, billIds);
}

/** Plans every changed bill. One that fails is left for the next run and does not stop the others. */
export async function planChanged(app: App, provider: EInvoiceProviderName): Promise<void> {
  const failed = new Set<string>();
  for (;;) {
    const ids = await unitOfWork(app, { actor: einvoiceActor, mode: 'read' }, (ctx) =>
      changedBills(ctx, billsAtOnce + failed.size),
    );
    const next = ids.filter((id) => !failed.has(id));
    if (next.length === 0) return;
    for (const id of next) {
      try {
        await unitOfWork(app, { actor: einvoiceActor }, async (ctx) => {
          const covered = await takeChanged(ctx, id);
          if (covered) await planBill(ctx, covered, provider);
        });
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        app.log.error({ err: error, billId: id }, 'the invoices of a bill could not be planned');
        failed.add(id);
      }
    }
  }
}

/**
 * The buyer of a bill's invoices: as chosen for this bill, otherwise the bill's buyer with its organization's
 * preference.
 */
export async function choiceOf(
  ctx: Ctx,
  bill: Bill,
  covered: Pick<CoveredBill, 'buyer'>,
): Promise<BuyerChoice> {
  const { provider } = await ctx.setting(einvoiceSetting);
  if (covered.buyer) return keptBy(covered.buyer, provider);
  const { taxId, name } = bill.buyer;
  return keptBy({ taxId, name, ...(await preferenceOf(ctx, bill.organizationId)) }, provider);
}

/** Creates what a bill needs; the caller holds its row lock, so that it is not planned concurrently. */
export async function planBill(
  ctx: Ctx,
  covered: CoveredBill,
  provider: EInvoiceProviderName,
): Promise<void> {
  const bill = required(await billById(ctx, covered.billId, null), 'the bill of an invoice');
  const credits = await creditsOf(ctx, bill.id);
  const steps = planSteps(
    {
      timing: covered.timing,
      billed: { net: bill.net.minor, tax: bill.tax.minor },
      hasSeveralKinds: taxKindsOf(bill).size > 1,
      isVoid: bill.state === 'void',
      isClosed: covered.isClosed,
      credits,
      paid: bill.paid.minor - bill.returned.minor,
      invoices: await standingInvoices(ctx, bill.id),
    },
    periodOf(ctx.now),
  );
  for (const step of steps) {
    // Until an invoice is certainly canceled, another one would state the same sale twice. The bill is planned
    // again then.
    if (step.kind === 'invoice' && (await isBeingCanceled(ctx, bill.id, undoneSource))) continue;
    if (step.kind === 'invoice') await makeInvoices(ctx, bill, covered, step, provider);
    else await takeBack(ctx, step, sourceWords(ctx, bill, step, credits), voidReason(ctx));
  }
  if (steps.length > 0) publishInvoices(ctx, bill.organizationId);
}

const voidReason = (ctx: Ctx): string => ctx.text('einvoices.reason_bill_void', {}, 'zhTW');

/** The text on an allowance about its reason. */
function sourceWords(ctx: Ctx, bill: Bill, step: PlannedStep, credits: readonly CreditTaken[]): string {
  if (step.kind !== 'allow') return '';
  const credit = credits.find((each) => each.id === step.source);
  return credit?.number ?? ctx.text('einvoices.about_void', { number: bill.number }, 'zhTW');
}

/** Drops, voids or allows an invoice. */
export async function takeBack(
  ctx: Ctx,
  step: Exclude<PlannedStep<Id<'ein'>>, { kind: 'invoice' }>,
  about: string,
  reason: string,
): Promise<void> {
  if (step.kind === 'drop') return dropInvoice(ctx, step.invoiceId);
  if (step.kind === 'void') return askVoid(ctx, step.invoiceId, reason);
  const invoice = required(await invoiceById(ctx, step.invoiceId, null, true), 'the allowed invoice');
  await insertAllowance(ctx, {
    id: ctx.newId('eal'),
    einvoiceId: invoice.id,
    billId: invoice.billId,
    organizationId: invoice.organizationId,
    source: step.source,
    document: allowanceOf(ctx, invoice.lines, about, step),
    net: step.net,
    tax: step.tax,
  });
}

async function makeInvoices(
  ctx: Ctx,
  bill: Bill,
  covered: CoveredBill,
  part: NetAndTax & { readonly isWhole: boolean },
  provider: EInvoiceProviderName,
): Promise<void> {
  const choice = await choiceOf(ctx, bill, covered);
  const seller = await sellerParty(ctx);
  const lines = part.isWhole
    ? await itemsOfBill(ctx, bill)
    : partOfBill(ctx, bill, { net: part.net, tax: part.tax });
  for (const chunk of splitLines(lines, mostItems(provider))) {
    const document = invoiceOf(bill, seller, choice, chunk);
    const id = ctx.newId('ein');
    const mistake = mistakeOf(document, choice);
    await insertInvoice(ctx, {
      id,
      billId: bill.id,
      organizationId: bill.organizationId,
      kind: choice.taxId === '' ? 'consumer' : 'company',
      taxKind: taxKindOf(document.items),
      document,
      lines: chunk.map(({ description, quantity, unit, unitPrice, net, tax, taxKind }) => ({
        description,
        quantity,
        unit,
        unitPrice,
        net,
        tax,
        taxKind,
      })),
      net: chunk.reduce((sum, line) => sum + line.net, 0n),
      tax: chunk.reduce((sum, line) => sum + line.tax, 0n),
      mistake,
    });
    if (mistake !== null)
      await notifyFailed(
        ctx,
        { id, number: null, billNumber: bill.number, organization: bill.organization },
        mistake,
      );
  }
}

/** Why an invoice cannot be issued in its current form, if so. */
export function mistakeOf(document: InvoiceDocument, choice: BuyerChoice): string | null {
  const [mistake] = buyerMistakes({ ...choice, name: document.buyer.name });
  if (mistake) return mistake.code;
  return addsUp(document) ? null : 'einvoices.amounts_differ';
}
