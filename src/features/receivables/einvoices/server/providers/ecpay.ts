// ECPay's e-invoice services behind our interface. Companies get invoices through the B2B service if the
// account has it; everyone else, and companies without it, through the B2C service, which ECPay offers for
// both.
import type { EInvoiceProvider } from '../provider.ts';
import { ecpayB2b } from './ecpay-b2b.ts';
import { ecpayB2c } from './ecpay-b2c.ts';
import { ecpayCall, EcpayRefusal, words, type EcpayInvoiceAccount } from './ecpay-call.ts';
import type { EcpayService } from './ecpay-service.ts';

/** Creates the channel through ECPay with a merchant's account. */
export function ecpayInvoices(account: EcpayInvoiceAccount): EInvoiceProvider {
  const [b2c, b2b] = [ecpayB2c(account), ecpayB2b(account)];
  const by = ({ buyer }: { readonly buyer: { readonly taxId: string } }): EcpayService =>
    account.hasB2b && buyer.taxId !== '' ? b2b : b2c;
  return {
    name: 'ecpay',
    allotsNumbers: true,
    check: () => check(account),
    issue: (invoice) => by(invoice).issue(invoice),
    findInvoice: (invoice) => by(invoice).findInvoice(invoice),
    voidInvoice: (invoice, issued, reason, at) => by(invoice).voidInvoice(invoice, issued, reason, at),
    isVoided: (invoice, issued) => by(invoice).isVoided(invoice, issued),
    // ECPay can only annul and reissue in one call (VoidWithReIssue), which none of our documents corresponds
    // to.
    annulInvoice: null,
    allow: (allowance) => by(allowance).allow(allowance),
    findAllowance: (allowance) => by(allowance).findAllowance(allowance),
    voidAllowance: (allowance, issued, reason, at) =>
      by(allowance).voidAllowance(allowance, issued, reason, at),
    isAllowanceVoided: (allowance, issued) => by(allowance).isAllowanceVoided(allowance, issued),
    invoiceState: (invoice, issued) => by(invoice).invoiceState(invoice, issued),
    reportUnused: null,
  };
}

/** Queries an invoice that does not exist: only with the right keys can we read that there is none. */
async function check(account: EcpayInvoiceAccount): Promise<{ isLive: boolean }> {
  try {
    await ecpayCall(account, '/B2CInvoice/GetIssue', { RelateNumber: '00000000000000000000' });
  } catch (error) {
    if (!(error instanceof EcpayRefusal && error.is(words.absent))) throw error;
  }
  return { isLive: new URL(account.apiBase).hostname === 'einvoice.ecpay.com.tw' };
}
