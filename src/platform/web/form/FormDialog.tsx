// A form in a dialog, with its buttons: cancel, and what it does.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { DialogButtons } from '../ui/DialogButtons.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Form, SubmitButton, type FormProps } from './Form.tsx';

/** Closes once `onSubmit` has done its work; while it works nothing closes it. */
export function FormDialog<In extends FieldValues, Sent>({
  form,
  title,
  confirm,
  width = 'xs',
  onSubmit,
  onClose,
  children,
}: Pick<FormProps<In, Sent>, 'form' | 'onSubmit'> & {
  readonly title: string;
  /** What the button says. */
  readonly confirm: string;
  readonly width?: 'xs' | 'sm' | 'md';
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('platform');
  const isBusy = form.formState.isSubmitting;
  return (
    <Modal open width={width} title={title} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form
          form={form}
          label={title}
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
            <SubmitButton form={form} size="medium">
              {confirm}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
