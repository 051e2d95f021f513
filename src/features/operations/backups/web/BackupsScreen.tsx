// An Admin's backups: state, the running one, all backups, schedule, key, and instructions to restore.
import { useState } from 'react';
import type { Backup } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { RunsPage } from '#platform/web/ui/RunsPage.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { backupsApi, backupsKey, backupsQueries } from './api.ts';
import { BackupList } from './BackupList.tsx';
import { BackupPanel } from './BackupPanel.tsx';
import { BackupRunning, BackupStanding } from './BackupStanding.tsx';
import { PlanForm } from './PlanForm.tsx';
import { RecoveryKey } from './RecoveryKey.tsx';
import { RestoreHelp } from './RestoreHelp.tsx';

export function BackupsScreen() {
  const { t } = useTranslation('backups');
  const [shown, setShown] = useState<Backup>();
  const make = useCall(backupsApi.makeBackup, {
    invalidates: [backupsKey()],
    onSuccess: () => toast.success(t('backups.making')),
    onError: toast.failure,
  });
  return (
    <>
      <RunsPage
        title={t('backups.title')}
        lead={t('backups.lead')}
        overview={backupsQueries.backupOverview()}
        listKey={backupsKey('listBackups')}
        begin={{ label: t('backups.make'), isPending: make.isPending, onClick: () => make.mutate({}) }}
      >
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
      </RunsPage>
      {shown && <BackupPanel backup={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
