// A console with an e-invoice service, a company and a consumer with a bill each, for journeys.
import { startEcpayInvoices } from '../einvoices/ecpay.ts';
import type { Credentials, Journey } from './journey.ts';

export const companyOwner: Credentials = {
  account: 'owner@company.example',
  password: 'another long passphrase',
};
export const consumerOwner: Credentials = {
  account: 'owner@consumer.example',
  password: 'another long passphrase',
};

export type EinvoiceJourney = {
  readonly journey: Journey;
  readonly service: Awaited<ReturnType<typeof startEcpayInvoices>>;
  readonly month: string;
  /** The operator's token. */
  readonly token: string;
};

/** Last month cost each of them NT$1,000 plus NT$50 of tax; the bills are not issued yet. */
export async function einvoiceJourney(
  startJourney: (environment: Readonly<Record<string, string>>) => Promise<Journey>,
): Promise<EinvoiceJourney> {
  const service = await startEcpayInvoices();
  const journey = await startJourney({ ECPAY_INVOICE_API_BASE: service.url });
  const token = await journey.setUp();
  const now = new Date();
  const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15));
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  await journey.call(
    'PATCH',
    '/admin/settings',
    {
      seller: {
        name: '福爾摩沙雲端股份有限公司',
        taxId: '04595257',
        address: '臺北市信義區市府路一號',
        email: 'billing@cloud.example',
      },
    },
    token,
  );
  const { id: serviceId } = await journey.call<{ id: string }>(
    'POST',
    '/admin/services',
    {
      name: '推論',
      type: 'API',
      category: '平台',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '1000' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    token,
  );
  for (const [owner, organization] of [
    [companyOwner, '晨光科技股份有限公司'],
    [consumerOwner, '林小明'],
  ] as const) {
    const user = await journey.register({ ...owner, name: organization, organization });
    const { token: own } = await journey.call<{ token: string }>('POST', '/user/login', owner);
    await journey.call(
      'PATCH',
      '/organization',
      {
        billingAddress: '臺中市西屯區臺灣大道三段 99 號',
        billingEmail: owner.account,
        ...(owner === companyOwner && { taxId: '22099131' }),
      },
      own,
    );
    await journey.call(
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId, startedAt: begin.toISOString() },
      token,
    );
  }
  return { journey, service, month, token };
}
