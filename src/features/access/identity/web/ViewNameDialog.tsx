// Asks for a view's name.
import Button from '@mui/material/Button';
import { useId } from 'react';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SuggestField } from '#platform/web/form/SuggestField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';

const fields = z.strictObject({ name: text(60) });

/** `suggestions` are existing names: choosing one overwrites that view. */
export function ViewNameDialog({
  title,
  initial,
  suggestions,
  onSave,
  onClose,
}: {
  title: string;
  initial: string;
  suggestions: readonly string[];
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation('identity');
  const formId = useId();
  const form = useZodForm(fields, { name: initial });
  const save = async ({ name }: { name: string }): Promise<void> => {
    await onSave(name);
    onClose();
  };
  return (
    <Modal
      open
      width="xs"
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId} size="medium">
            {title}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} onSubmit={save} id={formId} label={title}>
        <SuggestField
          form={form}
          name="name"
          label={t('identity.view_name')}
          suggestions={suggestions}
          required
          {...(suggestions.length > 0 && { help: t('identity.view_replaces') })}
        />
      </Form>
    </Modal>
  );
}
