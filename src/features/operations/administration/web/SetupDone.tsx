// Step 3: done; offers the demo data, whose import shows its progress.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import type { FocusImport } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { administrationApi, administrationQueries } from './api.ts';

/** The polling interval while an import runs. */
const pollMs = 1000;

export function SetupDone() {
  const { t } = useTranslation('administration');
  return (
    <>
      <Section>
        <EmptyState
          title={t('administration.done_title')}
          hint={t('administration.done_text')}
          icon={<CheckCircleOutlined />}
          action={
            <Button component={Link} to="/admin/dashboard" variant="contained" size="large">
              {t('administration.to_dashboard')}
            </Button>
          }
        />
      </Section>
      <DemoData />
    </>
  );
}

function DemoData() {
  const { t } = useTranslation('administration');
  const [importId, setImportId] = useState<Id<'imp'>>();
  const start = useCall(administrationApi.importDemo, { onSuccess: ({ id }) => setImportId(id) });
  return (
    <Section title={t('administration.demo_title')} lead={t('administration.demo_text')}>
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        {start.error && <Alert severity="error">{start.error.message}</Alert>}
        {importId === undefined ? (
          <Button variant="outlined" loading={start.isPending} onClick={() => start.mutate({})}>
            {t('administration.demo_start')}
          </Button>
        ) : (
          <DemoProgress importId={importId} />
        )}
      </Stack>
    </Section>
  );
}

const isOver = (one: FocusImport | undefined): boolean =>
  one !== undefined && one.state !== 'waiting' && one.state !== 'running';

function DemoProgress({ importId }: { importId: Id<'imp'> }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const { data, error } = useQuery({
    ...administrationQueries.getImport({ importId }),
    refetchInterval: (query) => (isOver(query.state.data) ? false : pollMs),
  });
  if (error && !data) return <Alert severity="error">{error.message}</Alert>;
  if (data?.state === 'done') {
    const { organizations, services, subscriptions, events } = data.report;
    const count = (one: { created: number; existing: number }) => format.number(one.created + one.existing);
    return (
      <Alert severity="success" role="status">
        {t('administration.demo_done')}{' '}
        {t('administration.demo_result', {
          organizations: count(organizations),
          services: count(services),
          subscriptions: count(subscriptions),
          events: count(events),
        })}
      </Alert>
    );
  }
  if (isOver(data))
    return <Alert severity="error">{t('administration.demo_failed', { reason: data?.failure ?? '' })}</Alert>;
  const ratio = data && data.rowsTotal > 0 ? data.rowsDone / data.rowsTotal : undefined;
  return (
    <Stack sx={{ width: '100%' }}>
      <ProgressBar
        label={t('administration.demo_running')}
        ratio={ratio}
        note={
          data &&
          t('administration.demo_rows', {
            done: format.number(data.rowsDone),
            total: format.number(data.rowsTotal),
          })
        }
      />
    </Stack>
  );
}
