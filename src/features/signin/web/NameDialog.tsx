// Asks for a name.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState, type FormEvent } from 'react';
import { Refusal } from '#platform/web/form/Refusal.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useSigninTexts } from './texts.ts';

const formId = 'name-of-passkey';

export type NameDialogProps = { readonly title: string; readonly confirmLabel: string; readonly initial: string; readonly onName: (name: string) => Promise<unknown>; readonly onClose: () => void };

export function NameDialog({ title, confirmLabel, initial, onName, onClose }: NameDialogProps) {
  const t = useSigninTexts();
  const [name, setName] = useState(initial);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const send = async () => {
    setIsBusy(true);
    try {
      await onName(name.trim());
      onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
      setIsBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && name.trim() !== '') void send();
  };
  return (
    <Modal
      open
      width="xs"
      title={title}
      onClose={isBusy ? undefined : onClose}
      actions={<><Button onClick={onClose} disabled={isBusy}>{t('ui.cancel')}</Button><Button type="submit" form={formId} variant="contained" disabled={name.trim() === ''} loading={isBusy}>{confirmLabel}</Button></>}
    >
      <Stack component="form" id={formId} noValidate onSubmit={submit} sx={{ gap: 1 }}>
        <Refusal sentence={refusal} />
        <TextBox name="passkey" label={t('signin.passkey_name')} help={t('signin.passkey_name_help')} value={name} onChange={(typed) => setName(typed.slice(0, 80))} autoComplete="off" required autoFocus />
      </Stack>
    </Modal>
  );
}
