// The state of backups at a glance, and the running one.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { Backup, BackupOverview } from '../contract.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { backupsApi, backupsKey } from './api.ts';

export function BackupStanding({
  overview: { lastProven, lastFailed, nextAt, kept, keptBytes },
}: {
  readonly overview: BackupOverview;
}) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const now = useNow();
  const at = lastProven?.finishedAt;
  return (
    <>
      {lastFailed && (
        <Alert severity="error">
          {lastFailed.proof === 'different'
            ? t('backups.different_since')
            : t('backups.failed_since', { problem: lastFailed.problem ?? t('backups.state_interrupted') })}
        </Alert>
      )}
      <Grid columns={3}>
        <StatCard
          label={t('backups.last_proven_at')}
          value={at ? format.relative(at, now) : t('backups.never')}
          note={at ? format.dateTime(at) : t('backups.never_hint')}
        />
        <StatCard
          label={t('backups.next_at')}
          value={nextAt ? format.relative(nextAt, now) : t('backups.next_off')}
          note={nextAt ? format.dateTime(nextAt) : t('backups.off_hint')}
        />
        <StatCard
          label={t('backups.kept')}
          value={t('backups.kept_of', { count: format.number(kept) })}
          note={format.bytes(keptBytes)}
        />
      </Grid>
    </>
  );
}

/** The progress: each of four steps counts its finished rows. */
export function BackupRunning({ backup }: { readonly backup: Backup }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const stop = useCall(backupsApi.stopBackup, {
    invalidates: [backupsKey('backupOverview')],
    onSuccess: () => setStopping(true),
  });
  const { phase, rowsDone, rowsTotal } = backup;
  // used as: 'backups.phase_*'
  const label = isStopping ? t('backups.stopping') : t(`backups.phase_${phase ?? 'waiting'}`);
  const rows = { done: format.number(rowsDone), total: format.number(rowsTotal) };
  return (
    <Section
      title={t('backups.progress')}
      actions={
        <Button
          variant="outlined"
          aria-haspopup="dialog"
          disabled={isStopping}
          onClick={() => setAsking(true)}
        >
          {t('backups.stop')}
        </Button>
      }
    >
      <ProgressBar
        label={label}
        ratio={rowsTotal === 0 ? undefined : rowsDone / rowsTotal}
        note={rowsTotal === 0 ? undefined : t('backups.rows_of', rows)}
      />
      <ConfirmDialog
        open={isAsking}
        title={t('backups.stop_title')}
        confirmLabel={t('backups.stop')}
        onConfirm={() => stop.mutateAsync({ backupId: backup.id })}
        onClose={() => setAsking(false)}
      >
        {t('backups.stop_text')}
      </ConfirmDialog>
    </Section>
  );
}
