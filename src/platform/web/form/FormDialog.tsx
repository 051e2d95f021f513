// A form in a dialog, with its buttons: cancel, and what it does.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { DialogButtons } from '../ui/DialogButtons.tsx';
import { Modal, type ModalProps } from '../ui/Modal.tsx';
import { Form, SubmitButton, type FormProps } from './Form.tsx';

/** Closes once `onSubmit` has done its work; while it works nothing closes it. */
export function FormDialog<In extends FieldValues, Sent>({
  form,
  title,
  label = title,
  confirm,
  color,
  lead,
  width = 'xs',
  role = 'dialog',
  onSubmit,
  onClose,
  children,
}: Pick<FormProps<In, Sent>, 'form' | 'onSubmit' | 'label'> &
  Pick<ModalProps, 'title' | 'width' | 'role' | 'children'> & {
    /** What the button says. */
    readonly confirm: string;
    /** 'error' where something ends or is taken back. */
    readonly color?: 'primary' | 'error';
    /** Above the form: what it is about, and what follows from it. */
    readonly lead?: ReactNode;
    readonly onClose: () => void;
  }) {
  const { t } = useTranslation('platform');
  const isBusy = form.formState.isSubmitting;
  return (
    <Modal open role={role} width={width} title={title} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ gap: 2, paddingBlock: 1 }}>
        {lead}
        <Form
          form={form}
          label={label}
          onSubmit={async (sent) => {
            await onSubmit(sent);
            onClose();
          }}
        >
          {children}
          <DialogButtons>
            <Button onClick={onClose} disabled={isBusy}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium" {...(color !== undefined && { color })}>
              {confirm}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
