// Sends what is due to the provider, outside any transaction: claimed before, stored afterwards. What may
// already have been executed is queried, and never simply repeated.
import pLimit from 'p-limit';
import { hourMs } from '#kernel/durations.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { isUniqueViolation, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { EinvoiceAttempt } from '../contract.ts';
import { deadlineOf, gapSeconds, periodOf, pollSeconds } from '../rules.ts';
import { addsUp } from './document.ts';
import { notifyCustomer, notifyFailed, publishInvoices } from './notices.ts';
import { einvoiceActor } from './plan.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  type AllowanceToSend,
  type EInvoiceProvider,
  type InvoiceToSend,
  type IssuedInvoice,
} from './provider.ts';
import { einvoiceSetting } from './settings.ts';
import type { StoredInvoice } from './store.ts';
import { lookAgain } from './store-bills.ts';
import {
  claimAllowances,
  claimInvoices,
  insertAttempt,
  storeAllowanceResult,
  storeInvoiceResult,
  type AllowanceResult,
  type ClaimedAllowance,
  type ClaimedInvoice,
  type InvoiceResult,
} from './store-queue.ts';

const callsAtOnce = 4;
const claimedAtOnce = 40;
/** Longer than the slowest call; a process that finds an older claim queries its outcome. */
const busyMs = 5 * 60_000;
const runMs = 50_000;

type Action = EinvoiceAttempt['action'];
type Attempt = Pick<EinvoiceAttempt, 'action' | 'outcome' | 'code' | 'words'>;

/** An invoice in the form its provider gets; the same for every attempt once it has a number. */
export const toSend = (invoice: StoredInvoice): InvoiceToSend => ({
  invoiceId: invoice.id,
  number: invoice.number,
  randomCode: invoice.randomCode,
  issuedAt: invoice.issuedAt ?? invoice.createdAt,
  ...invoice.document,
});
const issuedOf = ({ number, randomCode, issuedAt }: StoredInvoice): IssuedInvoice => {
  if (number === null || issuedAt === null) throw new Error('the invoice has no number');
  return { number, randomCode: randomCode ?? '', issuedAt };
};
/** The provider identifies an allowance by our reference: the end of its id, which is random. */
const allowanceToSend = (one: ClaimedAllowance, provider: EInvoiceProvider): AllowanceToSend => {
  const { number, issuedAt } = issuedOf(one.invoice);
  return {
    allowanceId: one.id,
    number: one.number ?? (provider.allotsNumbers ? null : one.id.slice(-16)),
    date: one.madeAt,
    seller: one.invoice.document.seller,
    buyer: one.invoice.document.buyer,
    invoice: { id: one.invoice.id, number, issuedAt },
    items: one.document.items,
    net: one.net,
    tax: one.tax,
    others: one.others,
  };
};

/**
 * Sends everything that is due, invoices before their allowances. One that cannot be stored does not stop the
 * others.
 */
export async function sendDue(app: App, provider: EInvoiceProvider): Promise<void> {
  const began = performance.now();
  const limit = pLimit(callsAtOnce);
  const each = async <T extends { readonly id: string }>(
    claimed: readonly T[],
    send: (one: T) => Promise<void>,
  ): Promise<void> => {
    await Promise.all(
      claimed.map((one) =>
        limit(() =>
          continueOnError(app, { id: one.id }, 'what came of an e-invoice could not be stored', () =>
            send(one),
          ),
        ),
      ),
    );
  };
  const until = (ctx: Ctx): Date => new Date(ctx.now.getTime() + busyMs);
  for (let found = 1; found > 0 && performance.now() - began < runMs;) {
    const invoices = await unitOfWork(app, { actor: einvoiceActor }, (ctx) =>
      claimInvoices(ctx, until(ctx), claimedAtOnce),
    );
    await each(invoices, (one) => sendInvoice(app, provider, one));
    const allowances = await unitOfWork(app, { actor: einvoiceActor }, (ctx) =>
      claimAllowances(ctx, until(ctx), claimedAtOnce),
    );
    await each(allowances, (one) => sendAllowance(app, provider, one));
    found = invoices.length + allowances.length;
  }
}

/**
 * The error of a call as it is stored; errors other than the provider's are unexpected, and leave the outcome
 * as unknown as a missing response.
 */
function failureOf(app: App, error: unknown): { code: string; words: string; isRefused: boolean } {
  if (error instanceof ProviderRefused)
    return { code: error.code, words: error.message.slice(0, 500), isRefused: true };
  if (!(error instanceof ProviderUnsure))
    app.log.error({ err: error }, 'the provider of e-invoices failed in an unknown way');
  return {
    code: 'einvoices.no_answer',
    words: error instanceof Error ? error.message.slice(0, 500) : '',
    isRefused: false,
  };
}

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);

async function sendInvoice(app: App, provider: EInvoiceProvider, invoice: ClaimedInvoice): Promise<void> {
  const action: Action =
    invoice.sentAt === null ? 'issue' : invoice.voidAskedAt && !invoice.voidedAt ? 'void' : 'state';
  const attempts: Attempt[] = [];
  const tell = (now: Action, outcome: Attempt['outcome'], code = '', words = ''): void => {
    attempts.push({ action: now, outcome, code, words });
  };
  const unchanged = {
    state: invoice.state,
    isUnsure: false,
    tries: 0,
    errorCode: null,
    errorWords: null,
  } as const;
  let result: (ctx: Ctx) => Promise<InvoiceResult>;
  // Until the provider was queried, an unknown outcome stays unknown, whatever else fails.
  const doubt = { isOpen: invoice.wasUnsure };
  try {
    if (invoice.provider !== null && invoice.provider !== provider.name)
      throw new ProviderRefused('einvoices.other_provider', invoice.provider);
    if (action === 'issue') {
      const issued = await issueOnce(provider, invoice, doubt, tell);
      result = async (ctx) => acceptedAs(ctx, invoice, issued);
    } else if (action === 'void') {
      await voidOnce(provider, invoice, doubt, tell);
      result = async () => ({ ...unchanged, nextAt: null, isVoided: true });
    } else {
      const upload = await provider.invoiceState(toSend(invoice), issuedOf(invoice));
      if (upload.state === 'failed') throw new ProviderRefused(upload.code, upload.reason);
      const isThere = upload.state === 'uploaded';
      if (isThere) tell('state', 'done');
      result = async (ctx) => ({
        ...unchanged,
        state: isThere ? 'uploaded' : 'uploading',
        nextAt: isThere ? null : nextPoll(ctx, invoice),
        ...(isThere && { isUploaded: true }),
      });
    }
  } catch (error) {
    const { code, words, isRefused } = failureOf(app, error);
    tell(action === 'issue' && doubt.isOpen ? 'find' : action, isRefused ? 'refused' : 'unsure', code, words);
    const tries = invoice.tries + 1;
    result = async (ctx) => ({
      state: isRefused ? 'failed' : invoice.state,
      isUnsure: isRefused ? doubt.isOpen : action !== 'state',
      tries,
      nextAt: isRefused ? null : after(ctx.now, gapSeconds(tries)),
      errorCode: code,
      errorWords: words,
    });
  }
  try {
    await settleInvoice(app, provider, invoice, attempts, result);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // The provider returned a number that another invoice has: it is queried again, and the response is not
    // trusted.
    const tries = invoice.tries + 1;
    tell(action, 'unsure', 'einvoices.number_taken');
    await settleInvoice(app, provider, invoice, attempts, async (ctx) => ({
      state: invoice.state,
      isUnsure: true,
      tries,
      nextAt: after(ctx.now, gapSeconds(tries)),
      errorCode: 'einvoices.number_taken',
      errorWords: null,
    }));
  }
}

/** Stores the result of an attempt, and sends the notices. */
async function settleInvoice(
  app: App,
  provider: EInvoiceProvider,
  invoice: ClaimedInvoice,
  attempts: readonly Attempt[],
  result: (ctx: Ctx) => Promise<InvoiceResult>,
): Promise<void> {
  await unitOfWork(app, { actor: einvoiceActor }, async (ctx) => {
    const stored = await result(ctx);
    // A void or a credit of the bill that arrived in the meantime was waiting for the number, and what replaces
    // the invoice for its void. The bill is locked before its invoice, as when it is planned.
    if ((stored.sent && provider.allotsNumbers) || stored.isVoided) await lookAgain(ctx, [invoice.billId]);
    for (const attempt of attempts) await insertAttempt(ctx, invoice.id, null, attempt);
    await storeInvoiceResult(ctx, invoice.id, stored);
    if (attempts.length > 0) publishInvoices(ctx, invoice.organizationId);
    if (stored.state === 'failed')
      await notifyFailed(ctx, invoice, `${stored.errorCode ?? ''} ${stored.errorWords ?? ''}`.trim());
    if (stored.sent)
      await notifyCustomer(
        ctx,
        { ...invoice, number: stored.sent.number },
        'einvoice.issued',
        'einvoices.notice_issued',
        invoice.total,
        invoice.id,
      );
    if (stored.isVoided)
      await notifyCustomer(
        ctx,
        { ...invoice, number: invoice.number ?? '' },
        'einvoice.voided',
        'einvoices.notice_voided',
        invoice.total,
        invoice.id,
      );
  });
}

const nextPoll = (ctx: Ctx, { sentAt }: StoredInvoice): Date =>
  after(ctx.now, pollSeconds(sentAt ? (ctx.now.getTime() - sentAt.getTime()) / hourMs : 0));

type Tell = (action: Action, outcome: Attempt['outcome']) => void;
/**
 * Whether the outcome of an earlier attempt is unknown; resolved once the provider confirms that there is
 * nothing.
 */
type Doubt = { isOpen: boolean };

/** Issues an invoice that is certainly not issued yet; if it may be, it is looked up first. */
async function issueOnce(
  provider: EInvoiceProvider,
  invoice: ClaimedInvoice,
  doubt: Doubt,
  tell: Tell,
): Promise<IssuedInvoice> {
  const document = toSend(invoice);
  if (!addsUp(document)) throw new ProviderRefused('einvoices.amounts_differ', '');
  if (doubt.isOpen) {
    const found = await provider.findInvoice(document);
    tell('find', found ? 'done' : 'absent');
    if (found) return found;
    doubt.isOpen = false;
  }
  const issued = await provider.issue(document);
  tell('issue', 'done');
  return issued;
}

async function voidOnce(
  provider: EInvoiceProvider,
  invoice: ClaimedInvoice,
  doubt: Doubt,
  tell: Tell,
): Promise<void> {
  const [document, issued] = [toSend(invoice), issuedOf(invoice)];
  if (doubt.isOpen && (await provider.isVoided(document, issued))) return tell('void', 'done');
  doubt.isOpen = false;
  await provider.voidInvoice(
    document,
    issued,
    invoice.voidReason ?? '',
    invoice.voidAskedAt ?? invoice.createdAt,
  );
  tell('void', 'done');
}

/**
 * The stored form of an accepted invoice. Its number must be the one it was sent with, or one that the
 * provider allocated.
 */
async function acceptedAs(ctx: Ctx, invoice: ClaimedInvoice, issued: IssuedInvoice): Promise<InvoiceResult> {
  if (!/^[A-Z]{2}\d{8}$/.test(issued.number) || (invoice.number !== null && invoice.number !== issued.number))
    return {
      state: 'failed',
      nextAt: null,
      isUnsure: true,
      tries: invoice.tries + 1,
      errorCode: 'einvoices.no_answer',
      errorWords: issued.number,
    };
  const { consumerHours, companyHours } = await ctx.setting(einvoiceSetting);
  return {
    state: 'uploading',
    nextAt: invoice.voidAskedAt ? ctx.now : after(ctx.now, pollSeconds(0)),
    isUnsure: false,
    tries: 0,
    errorCode: null,
    errorWords: null,
    sent: {
      period: periodOf(issued.issuedAt),
      number: issued.number,
      randomCode: issued.randomCode.slice(0, 4),
      issuedAt: issued.issuedAt,
      dueAt: deadlineOf(issued.issuedAt, invoice.kind === 'company' ? companyHours : consumerHours),
    },
  };
}

async function sendAllowance(app: App, provider: EInvoiceProvider, one: ClaimedAllowance): Promise<void> {
  const document = allowanceToSend(one, provider);
  const isVoid = one.state === 'sent';
  const action: Action = isVoid ? 'void_allowance' : 'allow';
  const settled = { nextAt: null, isUnsure: false, tries: 0, errorCode: null, errorWords: null } as const;
  let attempt: Attempt = { action, outcome: 'done', code: '', words: '' };
  let result: AllowanceResult | undefined;
  const doubt = { isOpen: one.wasUnsure };
  try {
    if (one.invoice.provider !== provider.name)
      throw new ProviderRefused('einvoices.other_provider', one.invoice.provider ?? '');
    if (isVoid) {
      const issued = { number: one.number ?? '' };
      if (!(doubt.isOpen && (await provider.isAllowanceVoided(document, issued)))) {
        doubt.isOpen = false;
        await provider.voidAllowance(document, issued, one.voidReason ?? '', one.voidAskedAt ?? one.madeAt);
      }
      result = { ...settled, state: 'sent', isVoided: true };
    } else {
      const found = doubt.isOpen ? await provider.findAllowance(document) : null;
      doubt.isOpen = false;
      const { number } = found ?? (await provider.allow(document));
      result = { ...settled, state: 'sent', number };
    }
  } catch (error) {
    const { code, words, isRefused } = failureOf(app, error);
    attempt = { action, outcome: isRefused ? 'refused' : 'unsure', code, words };
  }
  const { invoice } = one;
  await unitOfWork(app, { actor: einvoiceActor }, async (ctx) => {
    // What replaces an invoice that was canceled by an allowance was waiting for it.
    if (result && !isVoid) await lookAgain(ctx, [invoice.billId]);
    await insertAttempt(ctx, invoice.id, one.id, attempt);
    const tries = one.tries + 1;
    const isRefused = attempt.outcome === 'refused';
    await storeAllowanceResult(
      ctx,
      one.id,
      result ?? {
        state: isRefused ? 'failed' : one.state,
        nextAt: isRefused ? null : after(ctx.now, gapSeconds(tries)),
        isUnsure: isRefused ? doubt.isOpen : true,
        tries,
        errorCode: attempt.code,
        errorWords: attempt.words,
      },
    );
    publishInvoices(ctx, invoice.organizationId);
    if (isRefused) await notifyFailed(ctx, invoice, `${attempt.code} ${attempt.words}`.trim());
    if (result && !isVoid)
      await notifyCustomer(
        ctx,
        { ...invoice, number: invoice.number ?? '' },
        'einvoice.allowed',
        'einvoices.notice_allowed',
        { minor: one.net + one.tax, currency: 'TWD' },
        one.id,
      );
  });
}
