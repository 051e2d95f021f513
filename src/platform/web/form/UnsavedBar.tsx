// Warns of unsaved changes: a bar while there are any, and a question before leaving the page.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import { SubmitButton } from './Form.tsx';
import type { FormOf } from './use-zod-form.ts';

/** At the bottom of a form: appears with the first change. */
export function UnsavedBar<In extends FieldValues, Sent>({ form }: { form: FormOf<In, Sent> }) {
  const { t } = useTranslation('platform');
  const { isDirty } = form.formState;
  useLeaveGuard(isDirty, t('ui.unsaved'));
  if (!isDirty) return null;
  return (
    <Box
      role="region"
      aria-label={t('ui.unsaved')}
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 2,
        display: 'flex',
        gap: 1,
        alignItems: 'center',
        flexWrap: 'wrap',
        padding: '10px 16px',
        bgcolor: 'overlay',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
        boxShadow: (theme) => theme.vars.palette.shadow.popover,
      }}
    >
      <Typography variant="body2">{t('ui.unsaved')}</Typography>
      <Box sx={{ display: 'flex', gap: 1, marginInlineStart: 'auto' }}>
        <Button onClick={() => form.reset()}>{t('ui.discard')}</Button>
        <SubmitButton form={form}>{t('ui.save')}</SubmitButton>
      </Box>
    </Box>
  );
}

/** While `isDirty`, asks before the tab is closed or a link is followed. */
export function useLeaveGuard(isDirty: boolean, question: string): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!link || link.getAttribute('target') === '_blank' || link.getAttribute('href')?.startsWith('#'))
        return;
      // confirm() blocks the navigation; with a dialog of our own, it would happen while the dialog is open.
      if (confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('beforeunload', beforeUnload);
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      removeEventListener('beforeunload', beforeUnload);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [isDirty, question]);
}
