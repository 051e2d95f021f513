// Asks for a view's name.
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SuggestField } from '#platform/web/form/SuggestField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

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
  const form = useZodForm(fields, { name: initial });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={title}
      onSubmit={({ name }) => onSave(name)}
      onClose={onClose}
    >
      <SuggestField
        form={form}
        name="name"
        label={t('identity.view_name')}
        suggestions={suggestions}
        required
        {...(suggestions.length > 0 && { help: t('identity.view_replaces') })}
      />
    </FormDialog>
  );
}
