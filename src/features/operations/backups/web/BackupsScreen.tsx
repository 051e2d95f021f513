// An Admin's backups: state, the running one, all backups, schedule, key, and instructions to restore.
import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Backup } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { backupsApi, backupsKey, backupsQueries } from './api.ts';
import { BackupList } from './BackupList.tsx';
import { BackupPanel } from './BackupPanel.tsx';
import { BackupRunning, BackupStanding } from './BackupStanding.tsx';
import { PlanForm } from './PlanForm.tsx';
import { RecoveryKey } from './RecoveryKey.tsx';
import { RestoreHelp } from './RestoreHelp.tsx';

/**
 * The polling intervals while a backup is running, and otherwise, because the schedule starts backups too.
 */
const [progressMs, restMs] = [1000, 30_000];

export function BackupsScreen() {
  const { t } = useTranslation('backups');
  const cache = useQueryClient();
  const [shown, setShown] = useState<Backup>();
  const overview = useQuery({
    ...backupsQueries.backupOverview(),
    refetchInterval: (polled) => (polled.state.data?.running ? progressMs : restMs),
  });
  const make = useCall(backupsApi.makeBackup, {
    invalidates: [backupsKey()],
    onSuccess: () => toast.success(t('backups.making')),
  });
  const runningId = overview.data?.running?.id;
  // The list changes when a backup starts or ends.
  useEffect(() => void cache.invalidateQueries({ queryKey: backupsKey('listBackups') }), [cache, runningId]);
  return (
    <Page
      title={t('backups.title')}
      lead={t('backups.lead')}
      actions={
        <Button
          variant="contained"
          loading={make.isPending}
          disabled={runningId !== undefined}
          onClick={() => make.mutate({})}
        >
          {t('backups.make')}
        </Button>
      }
    >
      <QueryState query={overview} skeleton={<Lines count={8} />}>
        {(found) => (
          <>
            <BackupStanding overview={found} />
            {found.running && <BackupRunning backup={found.running} />}
            <BackupList onShow={setShown} provenId={found.lastProven?.id} />
            <Grid>
              <PlanForm key={JSON.stringify(found.plan)} plan={found.plan} timeZone={found.timeZone} />
              <RecoveryKey recipient={found.recipient} />
            </Grid>
            <RestoreHelp overview={found} />
          </>
        )}
      </QueryState>
      {shown && <BackupPanel backup={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}
