// The panel of a connector: its progress, its errors, its resources and the windows it has read.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { RecordPanel } from '#platform/web/ui/RecordPanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Connector } from '../contract.ts';
import { connectorsApi, connectorsKey, connectorsQueries } from './api.ts';
import { BackfillDialog } from './BackfillDialog.tsx';
import { shownState, stateTones, useFailureText, useLagText } from './connector-words.ts';
import { ConnectorEditor } from './ConnectorEditor.tsx';
import { Pulls } from './Pulls.tsx';
import { Resources } from './Resources.tsx';

/** Stored in the address instead of a connector's id. */
export const newConnector = 'new';

export function ConnectorPanel({
  open,
  onOpen,
}: {
  open: string | undefined;
  onOpen: (connector: string | undefined) => void;
}) {
  const close = () => onOpen(undefined);
  if (open === newConnector) return <ConnectorEditor onClose={close} onSaved={({ id }) => onOpen(id)} />;
  return isId('con', open) ? <Opened key={open} connectorId={open} onClose={close} /> : null;
}

function Opened({ connectorId, onClose }: { connectorId: Id<'con'>; onClose: () => void }) {
  const { t } = useTranslation('connectors');
  const query = useQuery(connectorsQueries.getConnector({ connectorId }));
  const remove = useCall(connectorsApi.deleteConnector, { invalidates: [connectorsKey()] });
  return (
    <RecordPanel
      query={query}
      title={t('connectors.connector')}
      editor={(connector, onEnd) => (
        <ConnectorEditor key={connector.id} connector={connector} onClose={onEnd} onSaved={onEnd} />
      )}
      deletion={({ name }) => ({
        title: t('connectors.delete_ask', { name }),
        consequences: [t('connectors.delete_gone'), t('connectors.delete_again')],
        confirmLabel: t('connectors.delete'),
        onConfirm: async () => {
          await remove.mutateAsync({ connectorId });
          toast.success(t('connectors.deleted', { name }));
          onClose();
        },
      })}
      onClose={onClose}
    >
      {(connector) => <Details connector={connector} />}
    </RecordPanel>
  );
}

function Details({ connector }: { connector: Connector }) {
  const [isBackfilling, setIsBackfilling] = useState(false);
  return (
    <Stack sx={{ gap: 3 }}>
      <State connector={connector} />
      <Actions connector={connector} onBackfill={() => setIsBackfilling(true)} />
      <Resources connectorId={connector.id} />
      <Pulls connectorId={connector.id} />
      {isBackfilling && <BackfillDialog connector={connector} onClose={() => setIsBackfilling(false)} />}
    </Stack>
  );
}

function State({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors');
  const format = useFormat();
  const failureText = useFailureText();
  const lagText = useLagText();
  const shown = shownState(connector);
  const { failure, backfill } = connector;
  return (
    <Box>
      {failure && (
        <Alert severity="error" sx={{ marginBottom: 2, overflowWrap: 'anywhere' }}>
          {failureText(failure)}
        </Alert>
      )}
      <Facts
        items={[
          // used as: 'connectors.state_*', 'connectors.kind_*', 'connectors.window_*'
          [
            t('connectors.state'),
            <StatusBadge key="state" tone={stateTones[shown]} label={t(`connectors.state_${shown}`)} />,
          ],
          [t('connectors.kind'), t(`connectors.kind_${connector.options.kind}`)],
          [t('connectors.address'), connector.address],
          [t('connectors.window'), windowText(connector.windowSeconds, t)],
          [t('connectors.read_until'), <Moment key="until" at={connector.readUntil} as="dateTime" />],
          [t('connectors.lag'), lagText(connector.lagSeconds)],
          [t('connectors.events'), format.number(connector.events)],
          ...(backfill
            ? [
                [
                  t('connectors.backfill_running'),
                  t('connectors.backfill_left', {
                    from: format.dateTime(backfill.from),
                    until: format.dateTime(backfill.until),
                  }),
                ] as const,
              ]
            : []),
        ]}
      />
    </Box>
  );
}

type T = ReturnType<typeof useTranslation<'connectors'>>['t'];
function windowText(seconds: number, t: T): string {
  if (seconds === 300) return t('connectors.window_300');
  return seconds === 900 ? t('connectors.window_900') : t('connectors.window_3600');
}

function Actions({ connector, onBackfill }: { connector: Connector; onBackfill: () => void }) {
  const { t } = useTranslation('connectors');
  const failureText = useFailureText();
  const invalidates = [connectorsKey()];
  const { id: connectorId, name } = connector;
  const isPaused = connector.state === 'paused';
  const check = useCall(connectorsApi.checkConnector);
  const pull = useCall(connectorsApi.pullConnector, {
    invalidates,
    onSuccess: () => toast.success(t('connectors.pull_asked')),
  });
  const pause = useCall(connectorsApi.pauseConnector, {
    invalidates,
    onSuccess: () => toast.success(t('connectors.paused', { name })),
  });
  const resume = useCall(connectorsApi.resumeConnector, {
    invalidates,
    onSuccess: () => toast.success(t('connectors.resumed', { name })),
  });
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {isPaused && (
          <Button
            variant="contained"
            loading={resume.isPending}
            onClick={() => resume.mutate({ connectorId })}
          >
            {t('connectors.resume')}
          </Button>
        )}
        <Button variant="outlined" loading={check.isPending} onClick={() => check.mutate({ connectorId })}>
          {t('connectors.check')}
        </Button>
        <Button
          variant="outlined"
          disabled={isPaused}
          loading={pull.isPending}
          onClick={() => pull.mutate({ connectorId })}
        >
          {t('connectors.pull')}
        </Button>
        <Button aria-haspopup="dialog" variant="outlined" disabled={isPaused} onClick={onBackfill}>
          {t('connectors.backfill')}
        </Button>
        {!isPaused && (
          <Button variant="outlined" loading={pause.isPending} onClick={() => pause.mutate({ connectorId })}>
            {t('connectors.pause')}
          </Button>
        )}
      </Stack>
      {isPaused && (
        <Typography variant="body2" color="textSecondary">
          {t('connectors.paused_first')}
        </Typography>
      )}
      {check.data && (
        <Alert severity={check.data.failure ? 'error' : 'success'} sx={{ overflowWrap: 'anywhere' }}>
          {check.data.failure ? failureText(check.data.failure) : check.data.says}
        </Alert>
      )}
    </Stack>
  );
}
