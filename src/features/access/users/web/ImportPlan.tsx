// The planned changes of a file: the counts, what to do about rows with errors, and the rows.
import Alert from '@mui/material/Alert';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import type { UserImport } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { ImportRows } from './ImportRows.tsx';

export type ImportOptions = { readonly leaveOutBadRows: boolean; readonly sendLinks: boolean };

export function ImportPlan({
  plan,
  options,
  onChange,
  mails,
}: {
  plan: UserImport;
  options: ImportOptions;
  onChange: (options: ImportOptions) => void;
  mails: boolean;
}) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const counts = {
    create: format.number(plan.create),
    update: format.number(plan.update),
    unchanged: format.number(plan.unchanged),
    refused: format.number(plan.refused),
  };
  return (
    <>
      <Alert
        severity={plan.refused > 0 ? 'warning' : plan.create + plan.update === 0 ? 'info' : 'success'}
        role="status"
      >
        {t('users.import_plan', counts)}
      </Alert>
      <Stack>
        {plan.refused > 0 && (
          <FormControlLabel
            control={
              <Checkbox
                checked={options.leaveOutBadRows}
                onChange={(_, leaveOutBadRows) => onChange({ ...options, leaveOutBadRows })}
              />
            }
            label={t('users.import_leave_out', { refused: counts.refused })}
          />
        )}
        {plan.create > 0 && mails && (
          <FormControlLabel
            control={
              <Checkbox
                checked={options.sendLinks}
                onChange={(_, sendLinks) => onChange({ ...options, sendLinks })}
              />
            }
            label={t('users.import_send_links', { create: counts.create })}
          />
        )}
      </Stack>
      {plan.create > 0 && !(mails && options.sendLinks) && (
        <Alert severity="info">{t('users.import_no_password')}</Alert>
      )}
      <ImportRows importId={plan.id} total={plan.total} />
    </>
  );
}
