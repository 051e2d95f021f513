// Stores the newest bill on this device, for a user who opted in.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inLanguage, tagOf } from '#kernel/language.ts';
import { sumMoney } from '#kernel/money.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { billingQueries, billTitleKeys } from '#features/invoicing/billing/web/parts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { keepOfflineBill } from './offline-bill.ts';

export function KeepOfflineBill() {
  const newest = useQuery(billingQueries.listBills({ limit: 1 })).data?.items[0];
  return newest ? <Keep billId={newest.id} /> : null;
}

function Keep({ billId }: { billId: BillDetail['id'] }) {
  const { t } = useTranslation('billing');
  const { t: say } = useTranslation('app');
  const language = useLanguage();
  const format = useFormat();
  const { data: bill, dataUpdatedAt } = useQuery(billingQueries.getBill({ billId }));
  useEffect(() => {
    if (!bill) return;
    const byService = Map.groupBy(
      bill.lines,
      ({ serviceName, term }) => inLanguage(term?.name, language) ?? serviceName,
    );
    keepOfflineBill({
      language: tagOf(language),
      title: t(billTitleKeys[bill.kind], { month: format.month(bill.month) }),
      number: t('billing.number_is', { number: bill.number }),
      total: format.money(bill.total),
      facts: [
        t('billing.net_and_taxes', { net: format.money(bill.net), tax: format.money(bill.tax) }),
        // used as: 'billing.status_*'
        t(`billing.status_${bill.paymentStatus}`),
        `${t('billing.due')} ${format.money(bill.due)}`,
        `${t('billing.due_at')} ${format.date(bill.dueAt)}`,
      ],
      lines: [...byService].map(([name, lines]) => [
        name,
        format.money(
          sumMoney(
            lines.map(({ total }) => total),
            bill.currency,
          ),
        ),
      ]),
      keptAt: say('offline_bill.kept_at', { moment: format.dateTime(new Date(dataUpdatedAt)) }),
    }).catch(toast.failure);
  }, [bill, dataUpdatedAt, t, say, language, format]);
  return null;
}
