// Statutory invoices and allowances as the core passes them to providers, for tests.
import { encodeId } from '#kernel/ids.ts';
import type {
  AllowanceToSend,
  InvoiceItem,
  InvoiceToSend,
} from '#features/receivables/einvoices/server/provider.ts';

const idOf = <P extends 'ein' | 'eal'>(prefix: P, seed: number) =>
  encodeId(prefix, 1_795_000_000_000 + seed, new Uint8Array(10).fill(seed % 251));

export const seller = {
  taxId: '53212539',
  name: '雲端服務股份有限公司',
  address: '臺北市信義區市府路45號',
  email: 'billing@seller.example',
};
export const company = {
  taxId: '12345675',
  name: '客戶有限公司',
  address: '新北市板橋區文化路1段100號',
  email: 'ap@buyer.example',
};
export const consumer = { taxId: '', name: '王小明', address: '', email: 'wang@buyer.example' };

const item = (more: Partial<InvoiceItem> = {}): InvoiceItem => ({
  description: '物件儲存空間',
  quantity: '1',
  unit: '式',
  unitPrice: '1000',
  amount: 1000n,
  taxKind: 'taxable',
  ...more,
});

/** An invoice to a company: NT$1,000 plus NT$50 of tax. Each `seed` gives a different one. */
export function companyInvoice(seed = 1, more: Partial<InvoiceToSend> = {}): InvoiceToSend {
  return {
    invoiceId: idOf('ein', seed),
    number: `AB${String(12_345_000 + seed)}`,
    randomCode: '4321',
    issuedAt: new Date('2026-11-26T06:30:05Z'),
    seller,
    buyer: company,
    carrier: null,
    donationCode: null,
    isPrinted: true,
    items: [
      item({ quantity: '2', unitPrice: '300', amount: 600n }),
      item({ description: '資料庫', amount: 400n, unitPrice: '400' }),
    ],
    taxRate: '5',
    sales: { taxable: 1000n, zero_rated: 0n, exempt: 0n },
    tax: 50n,
    total: 1050n,
    remark: 'B-202611-000001',
    ...more,
  };
}

/** An invoice to a consumer with a mobile barcode: NT$340, tax included. */
export function consumerInvoice(seed = 1, more: Partial<InvoiceToSend> = {}): InvoiceToSend {
  return companyInvoice(seed, {
    buyer: consumer,
    carrier: { kind: 'mobile', code: '/ABC+123' },
    isPrinted: false,
    items: [item({ unitPrice: '340', amount: 340n })],
    sales: { taxable: 340n, zero_rated: 0n, exempt: 0n },
    tax: 0n,
    total: 340n,
    ...more,
  });
}

/** An allowance of NT$200 and NT$10 of tax on the first item of an invoice. */
export function allowanceOn(
  invoice: InvoiceToSend,
  issued: { number: string; issuedAt: Date },
  seed = 1,
  more: Partial<AllowanceToSend> = {},
): AllowanceToSend {
  const [first] = invoice.items;
  return {
    allowanceId: idOf('eal', seed),
    number: `EA2611${String(seed).padStart(10, '0')}`,
    date: new Date('2026-11-27T02:00:00Z'),
    seller: invoice.seller,
    buyer: invoice.buyer,
    invoice: { id: invoice.invoiceId, number: issued.number, issuedAt: issued.issuedAt },
    items: [
      {
        ...item({ description: first?.description ?? '', unitPrice: '200', amount: 200n }),
        tax: 10n,
        originalSequence: 1,
      },
    ],
    net: 200n,
    tax: 10n,
    others: [],
    ...more,
  };
}
