// Changes a commitment's name or note; the agreed terms cannot be changed.
import { inLanguage } from '#kernel/language.ts';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { CommitmentDetail } from '../contract.ts';
import { commitmentsApi, commitmentsKey } from './api.ts';

const fields = z.strictObject({ zhTW: text(80), enUS: text(80), note: optionalText(500) });

export function EditDialog({ commitment, onClose }: { commitment: CommitmentDetail; onClose: () => void }) {
  const { t } = useTranslation('commitments');
  const { language } = useFormat();
  const form = useZodForm(fields, { ...commitment.name, note: commitment.note });
  const update = useCall(commitmentsApi.updateCommitment, { invalidates: [commitmentsKey()] });
  const submit = async ({ zhTW, enUS, note }: z.output<typeof fields>) => {
    const { name } = await update.mutateAsync({ commitmentId: commitment.id, name: { zhTW, enUS }, note });
    toast.success(t('commitments.edited', { name: inLanguage(name, language) }));
  };
  return (
    <FormDialog
      form={form}
      title={t('commitments.edit')}
      confirm={t('ui.save')}
      onSubmit={submit}
      onUnchanged={onClose}
      onClose={onClose}
    >
      <TextField form={form} name="zhTW" label={t('commitments.name_zh')} autoComplete="off" required />
      <TextField form={form} name="enUS" label={t('commitments.name_en')} autoComplete="off" required />
      <TextField
        form={form}
        name="note"
        label={t('commitments.column_note')}
        help={t('commitments.note_help')}
        rows={2}
      />
    </FormDialog>
  );
}
