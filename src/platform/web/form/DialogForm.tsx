// A form inside a dialog: what it is about, its fields, and at its end its buttons: cancel, and what it does.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { DialogButtons } from '../ui/DialogButtons.tsx';
import { Form, SubmitButton, type FormProps } from './Form.tsx';

export type DialogFormProps<In extends FieldValues, Sent> = Pick<
  FormProps<In, Sent>,
  'form' | 'onSubmit' | 'label' | 'children'
> & {
  /** What the button says. */
  readonly confirm: string;
  /** 'error' where something ends or is taken back. */
  readonly color?: 'primary' | 'error';
  /** Above the form: what it is about, and what follows from it. */
  readonly lead?: ReactNode;
  /** In the place of the button that sends, while something else has to be done first. */
  readonly instead?: ReactNode;
  /** Whether there is nothing to send yet. */
  readonly disabled?: boolean;
  /** For forms without a field: Enter sends them. */
  readonly autoFocus?: boolean;
  /** What cancelling does. */
  readonly onClose: () => void;
};

/** For dialogs that first load something, or show what came of it afterwards; every other one is a `FormDialog`. */
export function DialogForm<In extends FieldValues, Sent>({
  form,
  label,
  confirm,
  color = 'primary',
  lead,
  instead,
  disabled = false,
  autoFocus = false,
  onSubmit,
  onClose,
  children,
}: DialogFormProps<In, Sent>) {
  const { t } = useTranslation('platform');
  return (
    // A field's label stands on its border, so that the room above it is less than it seems.
    <Stack sx={{ gap: 2.5, paddingTop: 1 }}>
      {lead}
      <Form form={form} onSubmit={onSubmit} {...(label !== undefined && { label })}>
        {children}
        <DialogButtons>
          <Button onClick={onClose} disabled={form.formState.isSubmitting}>
            {t('ui.cancel')}
          </Button>
          {instead ?? (
            <SubmitButton form={form} size="medium" color={color} disabled={disabled} autoFocus={autoFocus}>
              {confirm}
            </SubmitButton>
          )}
        </DialogButtons>
      </Form>
    </Stack>
  );
}
