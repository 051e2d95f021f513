// The panel of a cost source: its files, a preview of their effect, and the billing periods in force.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { RecordPanel } from '#platform/web/ui/RecordPanel.tsx';
import type { CostImport, CostSource } from '../contract.ts';
import { costsApi, costsKey, costsQueries } from './api.ts';
import { Files } from './Files.tsx';
import { Periods } from './Periods.tsx';
import { Preview } from './Preview.tsx';
import { SourceEditor } from './SourceEditor.tsx';
import { UploadCosts } from './UploadCosts.tsx';

/** Stored in the address instead of a source's id. */
export const newSource = 'new';

export function SourcePanel({
  open,
  onOpen,
}: {
  open: string | undefined;
  onOpen: (source: string | undefined) => void;
}) {
  const close = () => onOpen(undefined);
  if (open === newSource) return <SourceEditor onClose={close} onSaved={({ id }) => onOpen(id)} />;
  return isId('csr', open) ? <Opened key={open} sourceId={open} onClose={close} /> : null;
}

function Opened({ sourceId, onClose }: { sourceId: Id<'csr'>; onClose: () => void }) {
  const { t } = useTranslation('costs');
  const query = useQuery(costsQueries.getCostSource({ sourceId }));
  const remove = useCall(costsApi.deleteCostSource, { invalidates: [costsKey()] });
  return (
    <RecordPanel
      query={query}
      title={t('costs.source')}
      width={960}
      editor={(source, onEnd) => (
        <SourceEditor key={source.id} source={source} onClose={onEnd} onSaved={onEnd} />
      )}
      deletion={({ name }) => ({
        title: t('costs.delete_ask', { name }),
        consequences: [t('costs.delete_gone')],
        confirmLabel: t('costs.delete'),
        onConfirm: async () => {
          await remove.mutateAsync({ sourceId });
          toast.success(t('costs.deleted', { name }));
          onClose();
        },
      })}
      onClose={onClose}
    >
      {(source) => <Details source={source} />}
    </RecordPanel>
  );
}

function Details({ source }: { source: CostSource }) {
  const [previewed, setPreviewed] = useState<CostImport>();
  const hasPreview = previewed !== undefined || source.periods.length > 0;
  return (
    <Stack sx={{ gap: 3 }}>
      {source.place.kind === 'upload' ? <UploadCosts source={source} /> : <Pulling source={source} />}
      <Files source={source} onPreview={setPreviewed} />
      {hasPreview && <Preview key={previewed?.id ?? ''} source={source} previewed={previewed} />}
      <Periods source={source} />
    </Stack>
  );
}

function Pulling({ source }: { source: CostSource }) {
  const { t } = useTranslation('costs');
  const invalidates = [costsKey()];
  const { id: sourceId, place, failure, isPaused, lastPullAt, version } = source;
  const pull = useCall(costsApi.pullCostSource, {
    invalidates,
    onSuccess: () => toast.success(t('costs.pull_asked')),
    onError: toast.failure,
  });
  const update = useCall(costsApi.updateCostSource, { invalidates, onError: toast.failure });
  const where =
    place.kind === 'bucket'
      ? `s3://${place.bucket}/${place.prefix}`
      : place.kind === 'folder'
        ? place.path
        : '';
  return (
    <Stack sx={{ gap: 2 }}>
      {failure && (
        <Alert severity="error" sx={{ overflowWrap: 'anywhere' }}>
          {failure.message}
        </Alert>
      )}
      <Facts
        items={[
          // used as: 'costs.kind_*'
          [t(`costs.kind_${place.kind}`), where === '' ? '/' : where],
          [t('costs.last_pull'), lastPullAt ? <Moment key="at" at={lastPullAt} as="dateTime" /> : '–'],
        ]}
      />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button
          variant="outlined"
          disabled={isPaused}
          loading={pull.isPending}
          onClick={() => pull.mutate({ sourceId })}
        >
          {t('costs.pull')}
        </Button>
        <Button
          variant="outlined"
          loading={update.isPending}
          onClick={() => update.mutate({ sourceId, version, isPaused: !isPaused })}
        >
          {t(isPaused ? 'costs.resume' : 'costs.pause')}
        </Button>
      </Stack>
      {isPaused && (
        <Typography variant="body2" color="textSecondary">
          {t('costs.resume_first')}
        </Typography>
      )}
    </Stack>
  );
}
