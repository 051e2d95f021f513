// The progress of the demo data import, and what was imported.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { FocusImport } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { administrationQueries } from './api.ts';

/** The polling interval while an import runs. */
const pollMs = 1000;

const isOver = (one: FocusImport | undefined): boolean =>
  one !== undefined && one.state !== 'waiting' && one.state !== 'running';

/** `onOver`, which must be stable, is called when the import is done or has failed. */
export function DemoProgress({ importId, onOver }: { importId: Id<'imp'>; onOver?: () => void }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const { data, error } = useQuery({
    ...administrationQueries.getImport({ importId }),
    refetchInterval: (query) => (isOver(query.state.data) ? false : pollMs),
  });
  const ended = isOver(data);
  useEffect(() => {
    if (ended) onOver?.();
  }, [ended, onOver]);
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
