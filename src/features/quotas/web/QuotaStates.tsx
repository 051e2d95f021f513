// The state of every quota, the worst first, narrowed to one state by the reader.
import AllInclusiveOutlined from '@mui/icons-material/AllInclusiveOutlined';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { quotaStatuses, type QuotaList } from '#features/quotas/contract.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { useParam } from '#platform/web/use-param.ts';
import { QuotaMeter, type Quota } from './QuotaMeter.tsx';
import { useQuotasTexts } from './texts.ts';

/** Worst first, as the list is. */
const choices = quotaStatuses.toReversed();

/** `nameOf` may make the name of a quota's service a link to its usage. */
export function QuotaStates({ quotas, nameOf }: { quotas: QuotaList; nameOf?: (quota: Quota) => ReactNode }) {
  const t = useQuotasTexts();
  const [wanted, setWanted] = useParam('quota');
  const chosen = choices.find((status) => status === wanted);
  const shown = quotas.items.filter((quota) => chosen === undefined || quota.status === chosen);
  if (quotas.items.length === 0) {
    return <Section title={t('quotas.title')}><EmptyState compact icon={<AllInclusiveOutlined />} title={t('quotas.unlimited')} hint={t('quotas.unlimited_hint')} /></Section>;
  }
  // used as: 'quotas.status_*'
  const label = (status: Quota['status']) => `${t(`quotas.status_${status}`)} ${quotas.items.filter((quota) => quota.status === status).length}`;
  return (
    <Section title={t('quotas.title')} lead={t('quotas.lead', { warning: quotas.warningPercent, critical: quotas.criticalPercent })}>
      <ToggleButtonGroup exclusive size="small" value={chosen ?? 'all'} aria-label={t('quotas.filter')} onChange={(_, next: string | null) => next !== null && setWanted(next === 'all' ? undefined : next, { replace: true })} data-screen-only sx={{ flexWrap: 'wrap', marginBottom: 2 }}>
        <ToggleButton value="all" sx={{ paddingInline: 1.5 }}>{t('ui.all')} {quotas.items.length}</ToggleButton>
        {choices.map((status) => <ToggleButton key={status} value={status} sx={{ paddingInline: 1.5 }}>{label(status)}</ToggleButton>)}
      </ToggleButtonGroup>
      {shown.length === 0
        ? <Typography variant="body2" color="textSecondary" role="status">{t('quotas.none_in_state')}</Typography>
        : (
          <Stack component="ul" aria-label={t('quotas.title')} sx={{ listStyle: 'none', margin: 0, padding: 0, gap: 2 }}>
            {shown.map((quota) => <Item key={quota.subscriptionId} quota={quota} name={nameOf?.(quota) ?? quota.serviceName} />)}
          </Stack>
        )}
    </Section>
  );
}

function Item({ quota, name }: { quota: Quota; name: ReactNode }) {
  const t = useQuotasTexts();
  const format = useFormat();
  return (
    <Box component="li" sx={{ display: 'grid', gap: '4px' }}>
      <Typography variant="body2" component="div" sx={{ overflowWrap: 'anywhere', fontWeight: 700 }}>{name}</Typography>
      <QuotaMeter quota={quota} />
      {/* used as: 'quotas.type_*' */}
      <Typography variant="caption" color="textSecondary">{t(`quotas.type_${quota.type}`)} {t('quotas.resets', { date: format.date(quota.resetsAt) })}</Typography>
    </Box>
  );
}
