// Imports services from a CSV file: first the plan for each row, then the import.
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { RadioBox } from '#platform/web/form/RadioBox.tsx';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { FileDrop } from '#platform/web/ui/FileDrop.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useUpload } from '#platform/web/api/use-upload.ts';
import { metersKey } from '#features/selling/meters/web/parts.ts';
import { catalogue, type ServiceImport } from '../contract.ts';
import { catalogueApi, catalogueKey } from './api.ts';
import { ImportRows } from './ImportRows.tsx';

type BadRows = 'refuseAll' | 'leaveOut';
const maxBytes = catalogue.importServices.raw?.maxBytes ?? 0;

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const [file, setFile] = useState<File | null>(null);
  const [plan, setPlan] = useState<ServiceImport>();
  const [badRows, setBadRows] = useState<BadRows>('refuseAll');
  const required = useRequired<HTMLButtonElement>(file !== null, 'form.file_required');
  const { send, sending } = useUpload();
  const rehearse = useCall((chosen: File) =>
    send((options) => catalogueApi.importServices({ dryRun: true }, { ...options, body: chosen })),
  );
  const importFile = useCall(
    (chosen: { file: File; badRows: BadRows }) =>
      send((options) =>
        catalogueApi.importServices({ badRows: chosen.badRows }, { ...options, body: chosen.file }),
      ),
    { invalidates: [catalogueKey(), metersKey()] },
  );
  const isBusy = rehearse.isPending || importFile.isPending;
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    setPlan(undefined);
    importFile.reset();
    if (chosen) rehearse.mutate(chosen, { onSuccess: setPlan });
  };
  const changes = plan ? plan.created + plan.updated : 0;
  const isBlocked = plan !== undefined && plan.refused > 0 && badRows === 'refuseAll';
  const begin = (): void => {
    if (!required.check() || !file) return;
    importFile.mutate(
      { file, badRows },
      {
        onSuccess: (done) => {
          // The data may have changed since the preview: then nothing was written, and the rows show the new
          // plan.
          if (!done.applied) return setPlan(done);
          toast.success(
            t('catalogue.import_done', {
              created: format.number(done.created),
              updated: format.number(done.updated),
            }),
          );
          onClose();
        },
      },
    );
  };
  const problem = rehearse.error ?? importFile.error;
  return (
    <ActionDialog
      width="md"
      title={t('catalogue.import_title')}
      confirm={
        plan && changes > 0
          ? t('catalogue.import_button', { count: format.number(changes) })
          : t('catalogue.import_title')
      }
      isBusy={importFile.isPending}
      disabled={file !== null && (isBusy || changes === 0 || isBlocked)}
      onConfirm={begin}
      onClose={onClose}
    >
      <Typography variant="body2" color="textSecondary">
        {t('catalogue.import_lead')}
      </Typography>
      <FileDrop
        label={t('catalogue.import_file')}
        endings={['.csv']}
        maxBytes={maxBytes}
        file={file}
        onChange={choose}
        required={required}
        disabled={isBusy}
        sending={sending}
        {...(rehearse.isPending && { atWork: t('catalogue.import_checking') })}
      />
      {problem && (
        <Alert severity="error" role="alert">
          {problem.message}
        </Alert>
      )}
      {plan && <Plan plan={plan} badRows={badRows} onChoose={setBadRows} />}
    </ActionDialog>
  );
}

function Plan({
  plan,
  badRows,
  onChoose,
}: {
  plan: ServiceImport;
  badRows: BadRows;
  onChoose: (badRows: BadRows) => void;
}) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const isWholeFile = plan.rows[0]?.row === 1;
  const counts = {
    created: format.number(plan.created),
    updated: format.number(plan.updated),
    unchanged: format.number(plan.unchanged),
    refused: format.number(plan.refused),
  };
  return (
    <>
      <Alert
        severity={plan.refused > 0 ? 'warning' : plan.created + plan.updated === 0 ? 'info' : 'success'}
        role="status"
      >
        {isWholeFile ? t('catalogue.import_head_wrong') : t('catalogue.import_plan', counts)}
      </Alert>
      {plan.refused > 0 && !isWholeFile && (
        <RadioBox
          row
          label={t('catalogue.import_bad_rows')}
          value={badRows}
          options={[
            { value: 'refuseAll', label: t('catalogue.import_refuse_all') },
            { value: 'leaveOut', label: t('catalogue.import_leave_out') },
          ]}
          onChange={onChoose}
        />
      )}
      <ImportRows rows={plan.rows} />
    </>
  );
}
