// A long form in a side panel: its buttons stay at the bottom, and a click outside does not discard the
// input.
import Button from '@mui/material/Button';
import { useId, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { SidePanel } from '../ui/SidePanel.tsx';
import { Form, SubmitButton, type FormProps } from './Form.tsx';

/** `onSubmit` rejects when the call failed. `isEdit`: submitting without a change closes the panel and sends nothing. */
export function FormPanel<In extends FieldValues, Sent>({
  form,
  title,
  submitLabel,
  width,
  isEdit = false,
  onSubmit,
  onClose,
  children,
}: Pick<FormProps<In, Sent>, 'form' | 'onSubmit'> & {
  readonly title: string;
  readonly submitLabel: string;
  /** See {@link SidePanel}. */
  readonly width?: number;
  readonly isEdit?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('platform');
  const id = useId();
  return (
    <SidePanel
      open
      title={title}
      width={width}
      onClose={onClose}
      unsaved={form.formState.isDirty && !form.formState.isSubmitSuccessful}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={id}>
            {submitLabel}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} onSubmit={onSubmit} onUnchanged={isEdit ? onClose : undefined} id={id} label={title}>
        {children}
      </Form>
    </SidePanel>
  );
}
