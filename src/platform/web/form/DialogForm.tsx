// A form inside a dialog: a lead, the fields, and at the end the cancel and submit buttons.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { DialogButtons } from '../ui/DialogButtons.tsx';
import { useDismissLabel } from '../ui/dismiss-label.ts';
import { Form, SubmitButton, type FormProps } from './Form.tsx';

export type DialogFormProps<In extends FieldValues, Sent> = Pick<
  FormProps<In, Sent>,
  'form' | 'onSubmit' | 'onUnchanged' | 'label' | 'children'
> & {
  /** The label of the submit button. */
  readonly confirm: string;
  /** 'error' for an action that ends or revokes something. */
  readonly color?: 'primary' | 'error';
  /** Above the form: what it is about, and its consequences. */
  readonly lead?: ReactNode;
  /** Replaces the submit button while something else must be done first. */
  readonly instead?: ReactNode;
  /** Whether there is nothing to submit yet. */
  readonly disabled?: boolean;
  /** For forms without a field: Enter submits them. */
  readonly autoFocus?: boolean;
  /** Called on cancel. */
  readonly onClose: () => void;
};

/** For dialogs that load something first, or show a result afterwards; for all others use `FormDialog`. */
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
  onUnchanged,
  onClose,
  children,
}: DialogFormProps<In, Sent>) {
  const dismiss = useDismissLabel(confirm);
  return (
    // A field's label overlaps its border, so the space above it looks smaller than it is.
    <Stack sx={{ gap: 2.5, paddingTop: 1 }}>
      {lead}
      <Form form={form} onSubmit={onSubmit} onUnchanged={onUnchanged} label={label}>
        {children}
        <DialogButtons>
          <Button onClick={onClose} disabled={form.formState.isSubmitting}>
            {dismiss}
          </Button>
          {instead ?? (
            <SubmitButton form={form} color={color} disabled={disabled} autoFocus={autoFocus}>
              {confirm}
            </SubmitButton>
          )}
        </DialogButtons>
      </Form>
    </Stack>
  );
}
