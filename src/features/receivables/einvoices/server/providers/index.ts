// The channels by name: selects the one in a seller's settings, with the addresses of its live and its test
// environment.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { EInvoiceProvider, EInvoiceProviderName } from '../provider.ts';
import { ecpayInvoices } from './ecpay.ts';
import { ezpayInvoices } from './ezpay.ts';
import { turnkeyProvider } from './turnkey.ts';

type Settings = {
  readonly provider: EInvoiceProviderName;
  readonly merchantId: string;
  readonly hashKey: string;
  readonly hashIv: string;
  readonly isStage: boolean;
  readonly hasB2b: boolean;
};

/** The addresses published by ECPay and ezPay: live and test. */
const addresses = {
  ecpay: { live: 'https://einvoice.ecpay.com.tw', stage: 'https://einvoice-stage.ecpay.com.tw' },
  ezpay: { live: 'https://inv.ezpay.com.tw', stage: 'https://cinv.ezpay.com.tw' },
} as const;

/** Creates the channel selected in the settings. Does not call it yet. */
export function createEInvoiceProvider(
  app: Pick<App, 'config' | 'clock' | 'files'>,
  settings: Settings,
): EInvoiceProvider {
  const { merchantId, hashKey, hashIv, hasB2b } = settings;
  const kind = settings.isStage ? 'stage' : 'live';
  const account = { merchantId, hashKey, hashIv, now: () => app.clock.now() };
  switch (settings.provider) {
    case 'turnkey':
      return turnkeyProvider({ files: app.files, root: settings.isStage ? 'turnkey-stage' : 'turnkey' });
    case 'ecpay':
      return ecpayInvoices({
        ...account,
        hasB2b,
        apiBase: app.config.eInvoices.ecpayApiBase ?? addresses.ecpay[kind],
      });
    case 'ezpay':
      return ezpayInvoices({
        ...account,
        apiBase: app.config.eInvoices.ezpayApiBase ?? addresses.ezpay[kind],
      });
  }
}
