// Asks for a name.
import Button from '@mui/material/Button';
import { useId } from 'react';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';

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
  const formId = useId();
  const form = useZodForm(fields, { name: initial });
  const { isSubmitting } = form.formState;
  const save = async ({ name }: { name: string }): Promise<void> => {
    await onName(name);
    onClose();
  };
  return (
    <Modal
      open
      width="xs"
      title={title}
      onClose={isSubmitting ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isSubmitting}>
            {t('ui.cancel')}
          </Button>
          <SubmitButton form={form} formId={formId} size="medium">
            {confirmLabel}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} onSubmit={save} id={formId} label={title}>
        <TextField
          form={form}
          name="name"
          label={t('signin.passkey_name')}
          help={t('signin.passkey_name_help')}
          autoComplete="off"
          required
          autoFocus
        />
      </Form>
    </Modal>
  );
}
