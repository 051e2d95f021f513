// Asks for a name.
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

const fields = z.strictObject({ name: text(80) });

export type NameDialogProps = {
  readonly title: string;
  readonly confirmLabel: string;
  readonly initial: string;
  readonly onName: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
};

export function NameDialog({ title, confirmLabel, initial, onName, onClose }: NameDialogProps) {
  const { t } = useTranslation('signin');
  const form = useZodForm(fields, { name: initial });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={confirmLabel}
      onSubmit={({ name }) => onName(name)}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="name"
        label={t('signin.passkey_name')}
        help={t('signin.passkey_name_help')}
        autoComplete="off"
        required
        autoFocus
      />
    </FormDialog>
  );
}
