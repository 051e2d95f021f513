// A long form in a side panel: its buttons stay at the bottom, and a click outside does not discard the
// input.
import Button from '@mui/material/Button';
import { useId, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { SidePanel } from '../ui/SidePanel.tsx';
import { Form, SubmitButton, type FormProps } from './Form.tsx';

/** `onSubmit` rejects when the call failed. `disabled`: there is nothing to save yet. */
export function FormPanel<In extends FieldValues, Sent>({
  form,
  title,
  submitLabel,
  width,
  disabled,
  onSubmit,
  onClose,
  children,
}: Pick<FormProps<In, Sent>, 'form' | 'onSubmit'> & {
  readonly title: string;
  readonly submitLabel: string;
  /** See {@link SidePanel}. */
  readonly width?: number;
  readonly disabled?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('platform');
  const id = useId();
  return (
    <SidePanel
      open
      title={title}
      {...(width !== undefined && { width })}
      onClose={onClose}
      unsaved={form.formState.isDirty && !form.formState.isSubmitSuccessful}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={id} size="medium" disabled={disabled}>
            {submitLabel}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} onSubmit={onSubmit} id={id} label={title}>
        {children}
      </Form>
    </SidePanel>
  );
}
