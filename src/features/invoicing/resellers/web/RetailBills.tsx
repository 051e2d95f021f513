// Bills of a reseller's customers: the current month, and the reseller's bills.
import PictureAsPdfOutlined from '~icons/ic/outline-picture-as-pdf';
import StorefrontOutlined from '~icons/ic/outline-storefront';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { billingKey, billingQueries, BillLines } from '#features/invoicing/billing/web/parts.ts';
import { resellersPaths } from '../contract.ts';
import { resellersApi, resellersKey, resellersQueries } from './api.ts';
import { BillList } from './BillList.tsx';
import { RetailBillContent } from './RetailBillPanel.tsx';

/** Bills by seller: the reseller's, or else the operator's (`otherwise`). */
export function BillsBySeller({ otherwise }: { readonly otherwise: ReactNode }) {
  useLive('bills', [resellersKey()]);
  return (
    <QueryState query={useQuery(resellersQueries.ownResale())}>
      {({ soldBy }) => (soldBy ? <RetailBills seller={soldBy.name} /> : otherwise)}
    </QueryState>
  );
}

/**
 * The link from the balance to a reseller's customers, which is not in the menu; renders nothing for all
 * others.
 */
export function ResellerLink() {
  const { t } = useTranslation('resellers');
  const { data } = useQuery(resellersQueries.ownResale());
  return data?.reseller ? (
    <Button
      component={Link}
      to={resellersPaths.customers}
      variant="outlined"
      startIcon={<StorefrontOutlined />}
    >
      {t('resellers.my_customers')}
    </Button>
  ) : null;
}

function RetailBills({ seller }: { seller: string }) {
  const { t } = useTranslation('resellers');
  const state = useTableState({ sort: '-issuedAt' });
  const query = usePagedQuery(resellersQueries.retailBills(state.query));
  return (
    <Page title={t('resellers.bills')} lead={t('resellers.billed_by', { seller })}>
      <Running />
      <BillList
        title={t('resellers.bills')}
        state={state}
        query={query}
        hint={t('resellers.no_bills_hint')}
        columns={{
          afterMonth: [
            { key: 'due', label: t('resellers.due_at'), render: ({ dueAt }) => <Moment at={dueAt} /> },
          ],
        }}
        bill={(id) => <OneBill id={id} />}
      />
    </Page>
  );
}

function OneBill({ id }: { id: Id<'rtb'> }) {
  const { t } = useTranslation('resellers');
  const language = useLanguage();
  const download = useDownload();
  return (
    <QueryState query={useQuery(resellersQueries.retailBill({ retailBillId: id }))}>
      {(bill) => (
        <RetailBillContent
          bill={bill}
          actions={
            <Button
              variant="outlined"
              startIcon={<PictureAsPdfOutlined />}
              onClick={() =>
                void download((options) =>
                  resellersApi.retailBillPdf({ retailBillId: id, language }, options),
                )
              }
            >
              {t('resellers.pdf')}
            </Button>
          }
        />
      )}
    </QueryState>
  );
}

/** The current month as the reseller will bill it. */
function Running() {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  useLive('usage', [billingKey('currentBill')]);
  return (
    <QueryState query={useQuery(billingQueries.currentBill())}>
      {({ month, bills }) => (
        <Section title={t('resellers.running', { month: format.month(month) })}>
          {bills.length === 0 ? (
            <Typography variant="body2">{t('resellers.nothing_yet')}</Typography>
          ) : (
            bills.map((bill) => (
              <Stack key={bill.currency} sx={{ gap: 2 }}>
                <Typography variant="kpi" component="p" className="tabular">
                  {format.money(bill.total)}
                </Typography>
                <BillLines bill={bill} label={`${t('resellers.lines')} ${bill.currency}`} />
              </Stack>
            ))
          )}
        </Section>
      )}
    </QueryState>
  );
}
