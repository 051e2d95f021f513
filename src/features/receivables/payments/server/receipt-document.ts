// A receipt as an A4 document: amount, purpose, time, method and payer.
import { momentFormat } from '#kernel/format-date.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { type ContentLanguage, tagOf } from '#kernel/language.ts';
import { subtractMoney, type Money } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import type { PdfDocument, PdfNode } from '#platform/server/pdf/pdf-document.ts';
import { badge, colours, label, row, stack, text, tones } from '#platform/server/pdf/pdf-look.ts';
import { panel, paperHead, paperStyle, party } from '#platform/server/pdf/pdf-paper.ts';
import type { enUS } from '../locales/enUS.ts';
import type { Parties, StoredPayment } from './store.ts';

type Translate = (key: keyof typeof enUS, params?: TextParams) => string;
export type ReceiptPaper = {
  readonly payment: StoredPayment & { received: Money; toBill: Money; settledAt: Date };
  readonly parties: Parties;
  readonly language: ContentLanguage;
};

/** Lays out a receipt. The same payment always yields the same document; refunds have separate documents. */
export function receiptDocument(
  { payment, parties, language }: ReceiptPaper,
  translate: Translate,
): PdfDocument {
  const { brand } = parties;
  const moments = momentFormat(language, parties.timeZone);
  const toBalance = subtractMoney(payment.received, payment.toBill);
  const taxId = (words: string): string => translate('payments.receipt_tax_id', { taxId: words });
  const line = (name: string, value: string, strong = false): PdfNode =>
    row(
      {
        justifyContent: 'space-between',
        gap: 16,
        paddingVertical: 7,
        borderBottomWidth: 0.75,
        borderBottomColor: colours.line,
      },
      text(name, { color: colours.quiet }),
      text(value, { textAlign: 'right', flex: 1, ...(strong && { fontWeight: 700 }) }),
    );
  return {
    title: `${translate('payments.receipt_title')} ${payment.reference}`,
    author: brand,
    language: tagOf(language),
    createdAt: payment.settledAt,
    style: paperStyle,
    children: [
      paperHead(brand, translate('payments.receipt_title'), payment.reference),
      panel(
        row(
          { justifyContent: 'space-between', alignItems: 'flex-start' },
          stack(
            { flex: 1 },
            label(translate('payments.receipt_received')),
            text(formatMoney(payment.received, language), { fontSize: 23, fontWeight: 700, lineHeight: 1.3 }),
          ),
          badge(translate('payments.receipt_paid'), tones.success),
        ),
      ),
      row(
        { gap: 22, marginBottom: 22 },
        party(translate('payments.receipt_from'), parties.buyer, taxId),
        party(translate('payments.receipt_by'), parties.seller, taxId),
      ),
      stack(
        { borderTopWidth: 1, borderTopColor: colours.brand },
        line(
          translate('payments.receipt_for'),
          payment.billNumber === null
            ? translate('payments.receipt_top_up')
            : translate('payments.receipt_bill', { number: payment.billNumber }),
        ),
        ...(payment.toBill.minor > 0n && toBalance.minor > 0n
          ? [
              line(translate('payments.receipt_to_bill'), formatMoney(payment.toBill, language)),
              line(translate('payments.receipt_to_balance'), formatMoney(toBalance, language)),
            ]
          : []),
        ...(payment.billNumber !== null && payment.toBill.minor === 0n
          ? [line(translate('payments.receipt_to_balance'), formatMoney(toBalance, language))]
          : []),
        line(translate('payments.receipt_date'), moments.date(payment.settledAt)),
        // used as: 'payments.method_*'
        line(translate('payments.method'), translate(`payments.method_${payment.method}`)),
        line(translate('payments.payment_id'), payment.id),
        ...(payment.providerReference === null
          ? []
          : [line(translate('payments.provider_reference'), payment.providerReference)]),
        line(translate('payments.amount'), formatMoney(payment.received, language), true),
      ),
      stack({ marginTop: 26, gap: 2 }, label(translate('payments.receipt_not_invoice'))),
    ],
  };
}
