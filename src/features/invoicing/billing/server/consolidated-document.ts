// A consolidated bill as an A4 document: the total due, what it consists of, then a section for each bill
// with its lines and taxes.
import { required } from '#kernel/assert.ts';
import { dayFormat, momentFormat } from '#kernel/format-date.ts';
import { formatMoney } from '#kernel/format-money.ts';
import { tagOf } from '#kernel/language.ts';
import { subtractMoney, sumMoney } from '#kernel/money.ts';
import type { PdfDocument, PdfNode } from '#platform/server/pdf/pdf-document.ts';
import { label, row, stack, text } from '#platform/server/pdf/pdf-look.ts';
import {
  columnHead,
  detail,
  figure,
  pageFooter,
  panel,
  paperHead,
  paperStyle,
  paperTotals,
  party,
} from '#platform/server/pdf/pdf-paper.ts';
import type { ConsolidatedBillDetail } from '../contract-consolidated.ts';
import { billSection, type BillPaper } from './bill-document.ts';
import type { Translate } from './bill-words.ts';

/** Lays out the document; `papers` are its bills in order. */
export function consolidatedDocument(
  bill: Pick<
    ConsolidatedBillDetail,
    'number' | 'month' | 'currency' | 'issuedAt' | 'dueAt' | 'net' | 'tax' | 'total' | 'organization'
  >,
  papers: readonly BillPaper[],
  translate: Translate,
): PdfDocument {
  const first = required(papers[0], 'a bill of a consolidated bill');
  const { language, brand } = first;
  const money = (amount: typeof bill.total): string => formatMoney(amount, language);
  const date = momentFormat(language, first.timeZone).date;
  const standing = papers.filter(({ isVoid }) => !isVoid);
  const voided = sumMoney(
    papers.filter(({ isVoid }) => isVoid).map((paper) => paper.bill.total),
    bill.currency,
  );
  const prepaid = sumMoney(
    standing.map((paper) => paper.prepaid),
    bill.currency,
  );
  const title = translate('billing.consolidated');
  const whose = ({ bill: { usedBy } }: BillPaper): string => usedBy?.organization ?? bill.organization;
  const width = { number: 120, amount: 78 };
  const right = { textAlign: 'right' } as const;
  const overview: PdfNode = stack(
    {},
    {
      ...row(
        { gap: 10 },
        columnHead(translate('billing.used_by'), { flex: 1 }),
        columnHead(translate('billing.pdf_number'), { width: width.number }),
        columnHead(translate('billing.pdf_net'), { width: width.amount, ...right }),
        columnHead(translate('billing.csv_tax'), { width: width.amount, ...right }),
        columnHead(translate('billing.pdf_total'), { width: width.amount, ...right }),
      ),
      repeated: true,
    },
    ...papers.map((paper) => ({
      ...row(
        { gap: 10, paddingVertical: 5 },
        text(paper.isVoid ? translate('billing.pdf_void_of', { name: whose(paper) }) : whose(paper), {
          flex: 1,
        }),
        text(paper.bill.number, { width: width.number }),
        text(money(paper.bill.net), { width: width.amount, ...right }),
        text(money(paper.bill.tax), { width: width.amount, ...right }),
        text(money(paper.bill.total), { width: width.amount, fontWeight: 700, ...right }),
      ),
      avoidsPageBreak: true,
    })),
  );
  return {
    title: `${title} ${bill.number}`,
    author: brand,
    language: tagOf(language),
    createdAt: bill.issuedAt,
    style: paperStyle,
    children: [
      pageFooter(brand, bill.number, translate('billing.pdf_page', { page: '{{page}}', pages: '{{pages}}' })),
      paperHead(brand, title, bill.number),
      panel(
        row(
          { justifyContent: 'space-between', alignItems: 'flex-start', gap: 12 },
          stack(
            { flex: 1 },
            label(translate('billing.consolidated_total')),
            text(money(bill.total), { fontSize: 20, fontWeight: 700, lineHeight: 1.3 }),
            label(translate('billing.pdf_parts', { net: money(bill.net), tax: money(bill.tax) }), {
              marginTop: 2,
            }),
          ),
          figure(translate('billing.pdf_due_date'), date(bill.dueAt), 104),
          figure(translate('billing.pdf_payment_reference'), bill.number, 128),
        ),
      ),
      row(
        { gap: 22, marginBottom: 22 },
        party(translate('billing.pdf_buyer'), first.bill.buyer, (taxId) =>
          translate('billing.pdf_tax_id', { taxId }),
        ),
        party(translate('billing.pdf_seller'), first.seller, (taxId) =>
          translate('billing.pdf_tax_id', { taxId }),
        ),
        stack(
          { flex: 1.2 },
          label(translate('billing.pdf_details'), { marginBottom: 4 }),
          detail(translate('billing.pdf_number'), bill.number),
          detail(translate('billing.pdf_month'), dayFormat(language).month(bill.month)),
          detail(translate('billing.pdf_issued'), date(bill.issuedAt)),
          detail(translate('billing.consolidated_sections'), String(papers.length)),
        ),
      ),
      overview,
      paperTotals(
        [
          [translate('billing.pdf_net'), money(bill.net)],
          [translate('billing.csv_tax'), money(bill.tax)],
        ],
        [translate('billing.pdf_total'), money(bill.total)],
        [
          ...(voided.minor === 0n
            ? []
            : [[translate('billing.pdf_status_void'), money({ ...voided, minor: -voided.minor })] as const]),
          ...(prepaid.minor === 0n
            ? []
            : [[translate('billing.prepaid_credit'), money({ ...prepaid, minor: -prepaid.minor })] as const]),
          ...(voided.minor === 0n && prepaid.minor === 0n
            ? []
            : [
                [
                  translate('billing.left_to_pay'),
                  money(subtractMoney(subtractMoney(bill.total, voided), prepaid)),
                ] as const,
              ]),
        ],
      ),
      ...papers.map((paper) => billSection(paper, whose(paper), translate)),
      stack({ marginTop: 26, gap: 2 }, label(translate('billing.pdf_not_invoice'))),
    ],
  };
}
