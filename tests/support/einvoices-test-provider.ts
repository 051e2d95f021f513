// A simulated e-invoice provider: it stores what it issued, and on request rejects, goes silent before or
// after acting, or returns false data.
import {
  ProviderRefused,
  ProviderUnsure,
  type AllowanceToSend,
  type EInvoiceProvider,
  type InvoiceToSend,
  type IssuedAllowance,
  type IssuedInvoice,
  type UnusedNumbers,
  type UploadState,
} from '#features/receivables/einvoices/server/provider.ts';

type Call = 'issue' | 'find' | 'void' | 'isVoided' | 'allow' | 'findAllowance' | 'voidAllowance' | 'state';
/**
 * `before`: no response and no effect; `after`: no response although it took effect; `refuse`: rejected;
 * `lie`: another number; `never`: it took effect, and no response will ever come.
 */
export type Mood = 'before' | 'after' | 'refuse' | 'lie' | 'never';

export class TestProvider implements EInvoiceProvider {
  readonly name;
  readonly allotsNumbers: boolean;
  readonly issued = new Map<string, IssuedInvoice & { readonly invoice: InvoiceToSend }>();
  readonly voided = new Set<string>();
  readonly allowed = new Map<string, IssuedAllowance & { readonly allowance: AllowanceToSend }>();
  readonly voidedAllowances = new Set<string>();
  readonly unused: UnusedNumbers[] = [];
  readonly calls: string[] = [];
  /** The moods of the next calls of a kind, in order. */
  readonly moods: Partial<Record<Call, Mood[]>> = {};
  upload: UploadState = { state: 'uploaded' };
  #next = 0;

  readonly #now: () => Date;

  constructor(name: 'turnkey' | 'ecpay', now: () => Date) {
    this.name = name;
    this.#now = now;
    this.allotsNumbers = name !== 'turnkey';
  }

  async #do<T>(call: Call, about: string, work: () => T): Promise<T> {
    this.calls.push(`${call} ${about}`);
    // A real one takes a moment, so that calls of several consoles overlap.
    await new Promise((resolve) => setImmediate(resolve));
    const mood = this.moods[call]?.shift();
    if (mood === 'refuse') throw new ProviderRefused('5000001', '買受人統一編號錯誤');
    if (mood === 'before') throw new ProviderUnsure('timed out');
    const done = work();
    // As if the waiting console had been killed.
    if (mood === 'never') await new Promise(() => undefined);
    if (mood === 'after') throw new ProviderUnsure('timed out');
    return done;
  }

  async check(): Promise<{ isLive: boolean }> {
    return { isLive: false };
  }
  async issue(invoice: InvoiceToSend): Promise<IssuedInvoice> {
    const isLying = this.moods.issue?.[0] === 'lie';
    return this.#do('issue', invoice.invoiceId, () => {
      if (this.issued.has(invoice.invoiceId)) throw new Error(`${invoice.invoiceId} is issued twice`);
      const made = {
        number: invoice.number ?? `ZZ${String(++this.#next).padStart(8, '0')}`,
        randomCode: invoice.randomCode ?? '0000',
        issuedAt: this.allotsNumbers ? this.#now() : invoice.issuedAt,
      };
      if ([...this.issued.values()].some(({ number }) => number === made.number))
        throw new Error(`${made.number} is used twice`);
      this.issued.set(invoice.invoiceId, { ...made, invoice });
      return isLying ? { ...made, number: 'XX00000000' } : made;
    });
  }
  async findInvoice(invoice: InvoiceToSend): Promise<IssuedInvoice | null> {
    return this.#do('find', invoice.invoiceId, () => this.issued.get(invoice.invoiceId) ?? null);
  }
  async voidInvoice(invoice: InvoiceToSend): Promise<void> {
    return this.#do('void', invoice.invoiceId, () => {
      if (this.voided.has(invoice.invoiceId)) throw new Error(`${invoice.invoiceId} is void twice`);
      this.voided.add(invoice.invoiceId);
    });
  }
  async isVoided(invoice: InvoiceToSend): Promise<boolean> {
    return this.#do('isVoided', invoice.invoiceId, () => this.voided.has(invoice.invoiceId));
  }
  async allow(allowance: AllowanceToSend): Promise<IssuedAllowance> {
    return this.#do('allow', allowance.allowanceId, () => {
      if (this.allowed.has(allowance.allowanceId)) throw new Error(`${allowance.allowanceId} is made twice`);
      const made = { number: allowance.number ?? `A${allowance.allowanceId.slice(-15)}` };
      this.allowed.set(allowance.allowanceId, { ...made, allowance });
      return made;
    });
  }
  async findAllowance(allowance: AllowanceToSend): Promise<IssuedAllowance | null> {
    return this.#do(
      'findAllowance',
      allowance.allowanceId,
      () => this.allowed.get(allowance.allowanceId) ?? null,
    );
  }
  async voidAllowance(allowance: AllowanceToSend): Promise<void> {
    return this.#do('voidAllowance', allowance.allowanceId, () => {
      this.voidedAllowances.add(allowance.allowanceId);
    });
  }
  async isAllowanceVoided(allowance: AllowanceToSend): Promise<boolean> {
    return this.voidedAllowances.has(allowance.allowanceId);
  }
  async invoiceState(invoice: InvoiceToSend): Promise<UploadState> {
    return this.#do('state', invoice.invoiceId, () => this.upload);
  }
  readonly annulInvoice = null;
  readonly reportUnused = async (unused: UnusedNumbers): Promise<void> => {
    this.unused.push(unused);
  };
}
