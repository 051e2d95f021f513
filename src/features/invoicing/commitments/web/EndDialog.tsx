// Ends a commitment early: its last month, what is due for its period, and the exact amount that will be
// charged.
import { inLanguage } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { month, text, type BillingMonth } from '#kernel/shape.ts';
import { addMonths, eachMonth } from '#kernel/time.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { settlements, type CommitmentDetail, type Settlement } from '../contract.ts';
import { commitmentsApi, commitmentsKey } from './api.ts';
import { endPreview } from './end-preview.ts';

const fields = z.strictObject({ lastMonth: month, settlement: z.enum(settlements), reason: text(500) });

export function EndDialog({
  commitment,
  from,
  onClose,
}: {
  commitment: CommitmentDetail;
  /** The earliest possible last month. */
  from: BillingMonth;
  onClose: () => void;
}) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const name = inLanguage(commitment.name, format.language);
  const form = useZodForm(fields, { lastMonth: from, settlement: 'none', reason: '' });
  const [lastMonth, settlement] = useWatch({ control: form.control, name: ['lastMonth', 'settlement'] });
  const end = useCall(commitmentsApi.endCommitment, { invalidates: [commitmentsKey()] });
  const submit = async (typed: z.output<typeof fields>) => {
    await end.mutateAsync({ commitmentId: commitment.id, ...typed });
    toast.success(t('commitments.ended', { name }));
  };
  const beforeStart = (one: BillingMonth): boolean => one < commitment.startsOn;
  // used as: 'commitments.settlement_*'
  return (
    <FormDialog
      form={form}
      title={t('commitments.end_title', { name })}
      confirm={t('commitments.end_submit')}
      color="error"
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="lastMonth"
        label={t('commitments.end_month')}
        help={t('commitments.end_month_help')}
        options={eachMonth(from, addMonths(commitment.lastMonth, -1)).map((one) => ({
          value: one,
          label: beforeStart(one)
            ? t('commitments.end_before_start', { month: format.month(one) })
            : format.month(one),
        }))}
      />
      <SelectField
        form={form}
        name="settlement"
        label={t('commitments.end_settlement')}
        help={<Due commitment={commitment} lastMonth={lastMonth} settlement={settlement} />}
        options={settlements.map((one) => ({
          value: one,
          label: t(`commitments.settlement_${one}`),
          disabled: one !== 'none' && beforeStart(lastMonth),
        }))}
      />
      <Consequences commitment={commitment} lastMonth={lastMonth} settlement={settlement} />
      <TextField
        form={form}
        name="reason"
        label={t('commitments.reason')}
        help={t('commitments.end_reason_help')}
        rows={2}
        required
      />
    </FormDialog>
  );
}

type Chosen = { commitment: CommitmentDetail; lastMonth: BillingMonth; settlement: Settlement };

function Due({ commitment, lastMonth, settlement }: Chosen) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const preview = endPreview(commitment, lastMonth, settlement);
  return preview && preview.target.minor > 0n
    ? t('commitments.end_target', { amount: format.money(preview.target) })
    : t('commitments.end_target_none');
}

function Consequences({ commitment, lastMonth, settlement }: Chosen) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const preview = endPreview(commitment, lastMonth, settlement);
  const monthName = format.month(lastMonth);
  const sentences =
    preview === null
      ? [t('commitments.end_canceled')]
      : [
          preview.missing.minor > 0n
            ? t('commitments.end_charge', { month: monthName, amount: format.money(preview.missing) })
            : t('commitments.end_charge_nothing', { month: monthName }),
          t('commitments.end_later_gone', { month: format.month(addMonths(lastMonth, 1)) }),
          t('commitments.end_kept'),
        ];
  return (
    <Alert severity={preview && preview.missing.minor > 0n ? 'warning' : 'info'} role="status">
      <Typography variant="subtitle2" component="p">
        {t('confirm.consequences')}
      </Typography>
      <Box component="ul" sx={{ margin: 0, paddingInlineStart: '20px', lineHeight: 1.7 }}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </Box>
    </Alert>
  );
}
