// A form in its own dialog.
import type { FieldValues } from 'react-hook-form';
import { Modal, type ModalProps } from '../ui/Modal.tsx';
import { DialogForm, type DialogFormProps } from './DialogForm.tsx';

/** Closes once `onSubmit` has succeeded; cannot be closed while it runs. */
export function FormDialog<In extends FieldValues, Sent>({
  title,
  label = title,
  width = 'xs',
  role = 'dialog',
  onSubmit,
  onClose,
  ...rest
}: Omit<DialogFormProps<In, Sent>, 'instead' | 'autoFocus'> & Pick<ModalProps, 'title' | 'width' | 'role'>) {
  const isBusy = rest.form.formState.isSubmitting;
  return (
    <Modal open role={role} width={width} title={title} onClose={isBusy ? undefined : onClose}>
      <DialogForm
        {...rest}
        label={label}
        onSubmit={async (sent) => {
          await onSubmit(sent);
          onClose();
        }}
        onClose={onClose}
      />
    </Modal>
  );
}
