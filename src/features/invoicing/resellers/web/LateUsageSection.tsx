// For Admins: late usage of months with a different seller, which no bill includes automatically.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { UnbilledLate } from '../contract.ts';
import { resellersApi, resellersKey, resellersQueries } from './api.ts';

/** Renders nothing if nothing is waiting, which is nearly always the case. */
export function LateUsageSection() {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const [asked, setAsked] = useState<UnbilledLate>();
  const found = useQuery(resellersQueries.listUnbilledLate());
  const bill = useCall(resellersApi.billUnbilledLate, {
    invalidates: [resellersKey()],
    onSuccess: ({ bills }) =>
      toast.success(t('resellers.late_billed', { numbers: format.list(bills.map(({ number }) => number)) })),
  });
  const items = found.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <>
      <Section title={t('resellers.late')} lead={t('resellers.late_lead')} flush>
        <PlainTable
          label={t('resellers.late')}
          words={3}
          hasActions
          heads={[
            t('resellers.customer'),
            t('resellers.late_month'),
            t('resellers.late_seller'),
            t('resellers.late_amount'),
            t('resellers.action'),
          ]}
          rows={items.map((each) => ({
            key: `${each.organizationId} ${each.month}`,
            cells: [
              each.organization,
              format.month(each.month),
              each.seller ?? t('resellers.nobody'),
              <Stack key="amounts">
                {each.amounts.map((amount) => (
                  <Money key={amount.currency} amount={amount} />
                ))}
              </Stack>,
              <Button key="bill" size="small" aria-haspopup="dialog" onClick={() => setAsked(each)}>
                {t('resellers.late_bill')}
              </Button>,
            ],
          }))}
        />
      </Section>
      {asked && (
        <ConfirmDialog
          open
          title={t('resellers.late_bill_title', {
            organization: asked.organization,
            month: format.month(asked.month),
          })}
          consequences={[
            t('resellers.late_bill_to', { payer: asked.payer }),
            ...(asked.seller === null
              ? []
              : [
                  t('resellers.late_bill_retail', {
                    seller: asked.seller,
                    organization: asked.organization,
                  }),
                ]),
            t('resellers.late_bill_plain'),
          ]}
          confirmLabel={t('resellers.late_bill')}
          onConfirm={() => bill.mutateAsync({ organizationId: asked.organizationId, month: asked.month })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
