// For Admins: resellers, and to whom they sell starting with which month.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Reseller, ResoldSpan } from '../contract.ts';
import { resellersApi, resellersKey, resellersQueries } from './api.ts';
import { LateUsageSection } from './LateUsageSection.tsx';
import { BrandPanel } from './BrandSection.tsx';
import { WholesalePanel } from './WholesaleSection.tsx';
import { MakeReseller, SellThrough } from './AdminResellerDialogs.tsx';

const tones = {
  planned: 'info',
  current: 'success',
  ended: 'neutral',
} as const satisfies Record<ResoldSpan['state'], BadgeTone>;

export function AdminResellers() {
  const [isMaking, setIsMaking] = useState(false);
  const [asked, setAsked] = useState<{ span: ResoldSpan | undefined; isEnding: boolean }>();
  useLive('billing', [resellersKey()]);
  const [shown, setShown] = useState<{ reseller: Reseller; what: 'brand' | 'wholesale' }>();
  const known = useQuery(resellersQueries.listResellers());
  return (
    <Stack sx={{ gap: 3, marginTop: 3 }}>
      <ResellerList
        query={known}
        onMake={() => setIsMaking(true)}
        onShow={(reseller, what) => setShown({ reseller, what })}
      />
      <LateUsageSection />
      {(known.data?.items.length ?? 0) > 0 && (
        <ResoldList onSet={(span, isEnding) => setAsked({ span, isEnding })} />
      )}
      {shown?.what === 'brand' && (
        <BrandPanel reseller={shown.reseller} onClose={() => setShown(undefined)} />
      )}
      {shown?.what === 'wholesale' && (
        <WholesalePanel reseller={shown.reseller} onClose={() => setShown(undefined)} />
      )}
      {isMaking && <MakeReseller onClose={() => setIsMaking(false)} />}
      {asked && (
        <SellThrough {...asked} resellers={known.data?.items ?? []} onClose={() => setAsked(undefined)} />
      )}
    </Stack>
  );
}

function ResellerList({
  query,
  onMake,
  onShow,
}: {
  query: UseQueryResult<{ readonly items: readonly Reseller[] }>;
  onMake: () => void;
  onShow: (reseller: Reseller, what: 'brand' | 'wholesale') => void;
}) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const stop = useCall(resellersApi.stopReseller, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
    onError: toast.failure,
  });
  return (
    <FullTable
      title={t('resellers.title')}
      lead={t('resellers.lead')}
      actions={
        <AddButton variant="outlined" onClick={onMake}>
          {t('resellers.make')}
        </AddButton>
      }
      query={query}
      empty={<EmptyState compact title={t('resellers.empty')} hint={t('resellers.empty_hint')} />}
      columns={[
        { key: 'name', label: t('resellers.name'), card: 'title', render: ({ name }) => name },
        {
          key: 'organization',
          label: t('resellers.organization'),
          render: ({ organization }) => organization,
        },
        {
          key: 'state',
          label: t('resellers.state'),
          render: ({ stoppedAt }) => (
            <StatusBadge
              tone={stoppedAt === null ? 'success' : 'neutral'}
              label={t(stoppedAt === null ? 'resellers.sells' : 'resellers.stopped_state')}
            />
          ),
        },
        {
          key: 'customers',
          label: t('resellers.customers'),
          align: 'right',
          render: ({ customers }) => format.number(customers),
        },
      ]}
      rowKey={({ organizationId }) => organizationId}
      rowName={({ name }) => name}
      rowActions={(each) => [
        { label: t('resellers.wholesale'), onClick: () => onShow(each, 'wholesale') },
        { label: t('resellers.brand'), onClick: () => onShow(each, 'brand') },
        ...(each.stoppedAt === null
          ? [
              {
                label: t('resellers.stop'),
                onClick: () => stop.mutate({ resellerId: each.organizationId }),
              },
            ]
          : []),
      ]}
    />
  );
}

function ResoldList({ onSet }: { onSet: (span: ResoldSpan | undefined, isEnding: boolean) => void }) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const state = useTableState({ sort: 'organization', prefix: 'resold-' });
  const query = usePagedQuery(resellersQueries.listResold(state.query));
  return (
    <DataTable
      label={t('resellers.resold')}
      title={t('resellers.resold')}
      lead={t('resellers.resold_lead')}
      actions={
        <Button variant="outlined" aria-haspopup="dialog" onClick={() => onSet(undefined, false)}>
          {t('resellers.assign')}
        </Button>
      }
      columns={[
        {
          key: 'organization',
          label: t('resellers.customer'),
          card: 'title',
          sortable: true,
          render: ({ organization }) => organization,
        },
        {
          key: 'reseller',
          label: t('resellers.seller'),
          sortable: true,
          render: ({ reseller }) => reseller,
        },
        {
          key: 'from',
          label: t('resellers.from'),
          sortable: true,
          render: ({ from, until }) => (
            <Stack>
              {until === null
                ? t('resellers.from_month', { month: format.month(from) })
                : from === until
                  ? format.month(from)
                  : t('resellers.from_until', { from: format.month(from), until: format.month(until) })}
            </Stack>
          ),
        },
        {
          key: 'state',
          label: t('resellers.state'),
          // used as: 'resellers.state_*'
          render: (span) => (
            <StatusBadge tone={tones[span.state]} label={t(`resellers.state_${span.state}`)} />
          ),
        },
      ]}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={({ organization }) => organization}
      searchLabel={t('resellers.search_customers')}
      empty={<EmptyState compact title={t('resellers.no_customers')} hint={t('resellers.resold_hint')} />}
      rowActions={(span) =>
        span.state === 'ended'
          ? []
          : [
              { label: t('resellers.change_reseller'), onClick: () => onSet(span, false) },
              { label: t('resellers.end'), onClick: () => onSet(span, true) },
            ]
      }
    />
  );
}
