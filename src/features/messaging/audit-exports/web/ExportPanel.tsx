// The panel of a destination: sent and waiting entries, and failures; a test, and pausing.
import Alert from '@mui/material/Alert';
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
import { HandedOver, HandOver } from '#platform/web/ui/HandOver.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { RecordPanel } from '#platform/web/ui/RecordPanel.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { entriesPerObject, type AuditExport } from '../contract.ts';
import { auditExportsApi, auditExportsKey, auditExportsQueries } from './api.ts';
import { ExportEditor } from './ExportEditor.tsx';
import { placeOf, shownState, stateTones, useFailureText } from './export-words.ts';

/** In the URL in place of a destination's id. */
export const newExport = 'new';
const shownMs = 5000;

export function ExportPanel({
  open,
  onOpen,
}: {
  open: string | undefined;
  onOpen: (id: string | undefined) => void;
}) {
  const [handOver, setHandOver] = useState<{ saved: AuditExport; secret: string }>();
  const close = () => onOpen(undefined);
  if (handOver)
    return (
      <SecretHandOver
        {...handOver}
        onClose={() => {
          setHandOver(undefined);
          onOpen(handOver.saved.id);
        }}
      />
    );
  if (open === newExport)
    return (
      <ExportEditor
        onClose={close}
        onSaved={(saved, secret) => (secret === null ? onOpen(saved.id) : setHandOver({ saved, secret }))}
      />
    );
  return isId('aex', open) ? <Opened key={open} exportId={open} onClose={close} /> : null;
}

function SecretHandOver({
  saved,
  secret,
  onClose,
}: {
  saved: AuditExport;
  secret: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('auditexports');
  return (
    <HandOver title={saved.name} news={[]} onClose={onClose}>
      <HandedOver label={t('auditexports.secret')} note={t('auditexports.secret_once')}>
        <Secret text={secret} label={t('auditexports.secret_copy')} />
      </HandedOver>
    </HandOver>
  );
}

function Opened({ exportId, onClose }: { exportId: Id<'aex'>; onClose: () => void }) {
  const { t } = useTranslation('auditexports');
  const query = useQuery({ ...auditExportsQueries.getAuditExport({ exportId }), refetchInterval: shownMs });
  const remove = useCall(auditExportsApi.deleteAuditExport, { invalidates: [auditExportsKey()] });
  return (
    <RecordPanel
      query={query}
      title={t('auditexports.destination')}
      width={720}
      editor={(shown, onEnd) => <ExportEditor key={shown.id} shown={shown} onClose={onEnd} onSaved={onEnd} />}
      deletion={({ name }) => ({
        title: t('auditexports.delete_ask', { name }),
        consequences: [t('auditexports.delete_stays'), t('auditexports.delete_waiting')],
        confirmLabel: t('auditexports.delete'),
        onConfirm: async () => {
          await remove.mutateAsync({ exportId });
          toast.success(t('auditexports.deleted', { name }));
          onClose();
        },
      })}
      onClose={onClose}
    >
      {(shown) => (
        <Stack sx={{ gap: 3 }}>
          <State shown={shown} />
          <Actions shown={shown} />
        </Stack>
      )}
    </RecordPanel>
  );
}

function State({ shown }: { shown: AuditExport }) {
  const { t } = useTranslation('auditexports');
  const format = useFormat();
  const failureText = useFailureText();
  const { failure, target, waitingSince, lastSentAt, secretHint } = shown;
  const state = shownState(shown);
  const moment = (at: Date) => <Moment key={at.getTime()} at={at} as="dateTime" />;
  return (
    <Stack sx={{ gap: 2 }}>
      {failure && (
        <Alert severity="error" sx={{ overflowWrap: 'anywhere' }}>
          {failureText(failure)}
        </Alert>
      )}
      <Facts
        items={[
          // used as: 'auditexports.state_*', 'auditexports.kind_*'
          [
            t('auditexports.state'),
            <StatusBadge key="state" tone={stateTones[state]} label={t(`auditexports.state_${state}`)} />,
          ],
          ...(failure ? [[t('auditexports.next_try'), moment(shown.nextTryAt)] as const] : []),
          [t('auditexports.kind'), t(`auditexports.kind_${target.kind}`)],
          [t('auditexports.place'), placeOf(target)],
          ...(secretHint === '' ? [] : [[t('auditexports.secret'), secretHint] as const]),
          [t('auditexports.sent'), format.number(shown.sentSeq)],
          [t('auditexports.waiting'), format.number(shown.waiting)],
          ...(waitingSince ? [[t('auditexports.waiting_since'), moment(waitingSince)] as const] : []),
          [t('auditexports.last_sent'), lastSentAt ? moment(lastSentAt) : '–'],
        ]}
      />
      {target.kind === 'bucket' && (
        <Typography variant="body2" color="textSecondary">
          {t('auditexports.bucket_note', { most: format.number(entriesPerObject) })}
        </Typography>
      )}
    </Stack>
  );
}

function Actions({ shown }: { shown: AuditExport }) {
  const { t } = useTranslation('auditexports');
  const failureText = useFailureText();
  const invalidates = [auditExportsKey()];
  const { id: exportId, name, version, isPaused } = shown;
  const test = useCall(auditExportsApi.testAuditExport, { invalidates, onError: toast.failure });
  const update = useCall(auditExportsApi.updateAuditExport, {
    invalidates,
    onSuccess: () => toast.success(t(isPaused ? 'auditexports.resumed' : 'auditexports.paused', { name })),
    onError: toast.failure,
  });
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate({ exportId })}>
          {t('auditexports.test')}
        </Button>
        <Button
          variant="outlined"
          loading={update.isPending}
          onClick={() => update.mutate({ exportId, version, isPaused: !isPaused })}
        >
          {t(isPaused ? 'auditexports.resume' : 'auditexports.pause')}
        </Button>
      </Stack>
      {test.data && (
        <Alert severity={test.data.failure ? 'error' : 'success'} sx={{ overflowWrap: 'anywhere' }}>
          {test.data.failure ? failureText(test.data.failure) : t('auditexports.test_taken')}
        </Alert>
      )}
    </Stack>
  );
}
