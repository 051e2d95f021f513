// The Admin's view of automatic top-ups: whose balance is topped up from a card, how much of the cap is used,
// and which ones stopped.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionRows } from '#platform/web/ui/ActionRows.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { ToppedUpOrganization } from '../contract.ts';
import { topupsApi, topupsKey, topupsQueries } from './api.ts';

const shownAtOnce = 50;

export function AdminTopUps() {
  const { t } = useTranslation('topups');
  const format = useFormat();
  useLive('billing', [topupsKey()]);
  const query = useQuery(topupsQueries.adminListTopUps({ limit: shownAtOnce }));
  const [ending, setEnding] = useState<ToppedUpOrganization>();
  const end = useCall(topupsApi.adminEndTopUp, {
    invalidates: [topupsKey()],
    onSuccess: () => toast.success(t('topups.ended')),
  });
  return (
    <Section title={t('topups.title')} lead={t('topups.admin_lead')}>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {({ items, total }) => (
          <ActionRows
            label={t('topups.title')}
            none={t('topups.admin_none')}
            more={
              total > items.length
                ? t('topups.admin_more', {
                    shown: format.number(items.length),
                    total: format.number(total),
                  })
                : undefined
            }
            rows={items.map((each) => ({
              key: `${each.organizationId} ${each.currency}`,
              title: each.organization,
              detail: t('topups.admin_terms', {
                threshold: format.money(each.threshold),
                amount: format.money(each.amount),
                used: format.money(each.usedThisMonth),
                cap: format.money(each.monthlyCap),
              }),
              side: <Side each={each} onEnd={() => setEnding(each)} />,
            }))}
          />
        )}
      </QueryState>
      <ConfirmDialog
        open={ending !== undefined}
        tone="danger"
        title={t('topups.admin_end_title', { organization: ending?.organization ?? '' })}
        consequences={[t('topups.admin_end_text')]}
        confirmLabel={t('topups.end_confirm')}
        onConfirm={() =>
          ending
            ? end.mutateAsync({ organizationId: ending.organizationId, currency: ending.currency })
            : undefined
        }
        onClose={() => setEnding(undefined)}
      />
    </Section>
  );
}

function Side({ each, onEnd }: { each: ToppedUpOrganization; onEnd: () => void }) {
  const { t } = useTranslation('topups');
  return (
    <>
      {each.stopped !== null && (
        <StatusBadge
          tone="warning"
          label={[t('topups.stopped_badge'), each.code].filter((part) => part !== '').join(' · ')}
        />
      )}
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={t('topups.admin_end_name', {
          organization: each.organization,
          currency: each.currency,
        })}
        onClick={onEnd}
      >
        {t('topups.end')}
      </Button>
    </>
  );
}
