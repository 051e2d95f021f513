// Compares the resources that clouds report with what is billed: figures, the state of the sources, the
// findings, the runs, and ignored resources.
import CompareArrowsOutlined from '~icons/ic/outline-compare-arrows';
import TuneOutlined from '~icons/ic/outline-tune';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFailureText } from '#features/metering/connectors/web/parts.ts';
import { findingKinds, type FindingKind, type Overview } from '../contract.ts';
import { reconciliationApi, reconciliationKey, reconciliationQueries } from './api.ts';
import { FindingPanel } from './FindingPanel.tsx';
import { Findings } from './Findings.tsx';
import { Ignored } from './Ignored.tsx';
import { Runs } from './Runs.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';

export function ReconciliationScreen() {
  const { t } = useTranslation('reconciliation');
  const [open, setOpen] = useParam('finding');
  const [isSetting, setIsSetting] = useState(false);
  useLive('connectors', [reconciliationKey()]);
  const { data: overview } = useQuery(reconciliationQueries.getReconciliation({}));
  const start = useCall(reconciliationApi.startReconciliation, {
    invalidates: [reconciliationKey()],
    onSuccess: () => toast.success(t('reconciliation.started')),
  });
  const isBusy = overview?.run?.state === 'waiting' || overview?.run?.state === 'running';
  const hasNothing = overview?.run === null && overview.sources.length === 0;
  return (
    <Page
      title={t('reconciliation.title')}
      lead={t('reconciliation.lead')}
      actions={
        <>
          <Button
            aria-haspopup="dialog"
            variant="outlined"
            startIcon={<TuneOutlined />}
            disabled={!overview}
            onClick={() => setIsSetting(true)}
          >
            {t('reconciliation.settings_title')}
          </Button>
          <Button
            variant="contained"
            startIcon={<CompareArrowsOutlined />}
            loading={start.isPending || isBusy}
            loadingPosition="start"
            onClick={() => start.mutate({})}
          >
            {t('reconciliation.start')}
          </Button>
        </>
      }
    >
      {overview && <Sources overview={overview} />}
      <Figures overview={overview} />
      {hasNothing ? (
        <Section>
          <EmptyState
            title={t('reconciliation.no_sources')}
            hint={t('reconciliation.no_sources_hint')}
            action={
              <Button component={Link} to="/admin/connectors" variant="outlined">
                {t('reconciliation.open_connectors')}
              </Button>
            }
          />
        </Section>
      ) : (
        <>
          <Findings onOpen={setOpen} />
          <Runs />
          <Ignored onOpen={setOpen} />
        </>
      )}
      {open !== undefined && <FindingPanel key={open} open={open} onClose={() => setOpen(undefined)} />}
      {isSetting && overview && (
        <SettingsPanel settings={overview.settings} onClose={() => setIsSetting(false)} />
      )}
    </Page>
  );
}

/** Sources that cannot list their resources, so that the data shown for them is old. */
function Sources({ overview: { sources, run } }: { overview: Overview }) {
  const { t } = useTranslation('reconciliation');
  const format = useFormat();
  const failureText = useFailureText();
  return (
    <>
      {run?.state === 'failed' && <Alert severity="warning">{t('reconciliation.last_failed')}</Alert>}
      {sources.map(
        ({ connectorId, name, readAt, failure }) =>
          failure && (
            <Alert key={connectorId} severity="warning" sx={{ overflowWrap: 'anywhere' }}>
              {readAt
                ? t('reconciliation.stale', {
                    name,
                    time: format.dateTime(readAt),
                    reason: failureText(failure),
                  })
                : t('reconciliation.never_read', { name, reason: failureText(failure) })}
            </Alert>
          ),
      )}
    </>
  );
}

function Figures({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation('reconciliation');
  const format = useFormat();
  const sumOf = (kind: FindingKind): string | undefined => {
    if (!overview) return undefined;
    const own = overview.totals.filter((total) => total.kind === kind);
    // Amounts in different currencies are not added up.
    return own.length === 0 ? '–' : own.map(({ amount }) => format.money(amount)).join(' + ');
  };
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' },
      }}
    >
      {/* used as: 'reconciliation.figure_*' */}
      {findingKinds.map((kind) => (
        <StatCard
          key={kind}
          label={t(`reconciliation.figure_${kind}`)}
          value={sumOf(kind)}
          note={overview && t('reconciliation.count', { count: overview.counts[kind] })}
        />
      ))}
    </Box>
  );
}
