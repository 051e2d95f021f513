// The effect of rules and mark-ups in money, and the unassigned cost, with a way to assign it directly.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LocalDay } from '#kernel/shape.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { CostImport, CostSource, Preview as Previewed } from '../contract.ts';
import { costsApi, costsKey } from './api.ts';
import { AssignDialog, type Assigned } from './AssignDialog.tsx';
import { CostAmounts } from './CostAmounts.tsx';
import { Unassigned } from './Unassigned.tsx';

type Period = Previewed['periods'][number];

export function Preview({ source, previewed }: { source: CostSource; previewed: CostImport | undefined }) {
  const { t } = useTranslation('costs');
  const [asking, setAsking] = useState<{ assigned: Assigned; periodStart: LocalDay }>();
  const asked = { sourceId: source.id, ...(previewed && { importId: previewed.id }) };
  const query = useQuery({
    // The preview depends on the source and on what has been imported.
    queryKey: [...costsKey(), 'preview', asked, source.version, source.periods.map(({ version }) => version)],
    queryFn: () => costsApi.previewCosts(asked),
  });
  return (
    <Section
      title={previewed ? t('costs.preview_of', { name: previewed.name }) : t('costs.preview')}
      level={3}
    >
      <QueryState query={query} skeleton={<Lines count={6} />}>
        {({ periods }) => (
          <Stack sx={{ gap: 3 }}>
            {periods.map((period) => (
              <PeriodPreview
                key={period.periodStart}
                period={period}
                onAssign={(assigned) => setAsking({ assigned, periodStart: period.periodStart })}
              />
            ))}
          </Stack>
        )}
      </QueryState>
      {asking && <AssignDialog source={source} {...asking} onClose={() => setAsking(undefined)} />}
    </Section>
  );
}

function PeriodPreview({ period, onAssign }: { period: Period; onAssign: (assigned: Assigned) => void }) {
  const { t } = useTranslation('costs');
  const format = useFormat();
  const facts = (['cost', 'assigned', 'unassigned', 'ignored', 'tax'] as const)
    .filter((name) => period[name].length > 0)
    // used as: 'costs.cost', 'costs.assigned', 'costs.unassigned', 'costs.ignored', 'costs.tax'
    .map((name) => [t(`costs.${name}`), <CostAmounts key={name} amounts={period[name]} />] as const);
  return (
    <Stack sx={{ gap: 2 }}>
      <Typography variant="h4" component="h4">
        {format.month(period.periodStart.slice(0, 7))}
      </Typography>
      <Facts items={facts} />
      <Subscriptions period={period} />
      {period.unassignedCount > 0 && <Unassigned period={period} onAssign={onAssign} />}
    </Stack>
  );
}

function Subscriptions({ period: { subscriptions } }: { period: Period }) {
  const { t } = useTranslation('costs');
  const format = useFormat();
  if (subscriptions.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('costs.preview_nothing')}
      </Typography>
    );
  return (
    // Spans the whole width of the section.
    <Box sx={{ marginInline: { xs: -2, sm: -3 } }}>
      <PlainTable
        label={t('costs.preview_subscriptions')}
        heads={[t('costs.subscription'), t('costs.services'), t('costs.cost'), t('costs.sold')]}
        rows={subscriptions.map(({ subscription, cost, sold, message, services }) => ({
          key: subscription.id,
          cells: [
            <Box key="name" sx={{ whiteSpace: 'normal' }}>
              {`${subscription.organization} · ${subscription.name}`}
              {message !== null && (
                <Typography variant="caption" color="error" sx={{ display: 'block' }}>
                  {message}
                </Typography>
              )}
            </Box>,
            format.number(services),
            <CostAmounts key="cost" amounts={cost} />,
            <CostAmounts key="sold" amounts={sold ? [sold] : []} />,
          ],
        }))}
      />
    </Box>
  );
}
