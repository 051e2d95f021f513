// Asks for the reason of an action: the subject, the reason, and one button that names the action.
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { FormDialog } from './FormDialog.tsx';
import type { DialogFormProps } from './DialogForm.tsx';
import type { TextLook } from './TextBox.tsx';
import { TextField } from './TextField.tsx';
import { useZodForm } from './use-zod-form.ts';
import type { ModalProps } from '../ui/Modal.tsx';

type Reason = { readonly reason: string };

export type ReasonDialogProps = Pick<ModalProps, 'title' | 'width' | 'role'> &
  Pick<DialogFormProps<Reason, Reason>, 'confirm' | 'color' | 'lead'> & {
    /** The form's accessible name, if the title is a question. */
    readonly label?: string;
    /**
     * The field: its label, how the reason is used, its maximum length, and its rows; required by default.
     */
    readonly field: Pick<TextLook, 'label' | 'help' | 'required' | 'rows'> & { readonly max: number };
    /** Rejects when the call failed; the dialog then stays open and keeps the input. */
    readonly onReason: (reason: string) => Promise<unknown>;
    readonly onClose: () => void;
  };

export function ReasonDialog({ field, onReason, ...rest }: ReasonDialogProps) {
  const { max, required = true, rows = 2, ...look } = field;
  const form = useZodForm(z.strictObject({ reason: required ? text(max) : optionalText(max) }), {
    reason: '',
  });
  return (
    <FormDialog {...rest} form={form} onSubmit={({ reason }) => onReason(reason)}>
      <TextField
        form={form}
        name="reason"
        {...look}
        rows={rows}
        required={required}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}
