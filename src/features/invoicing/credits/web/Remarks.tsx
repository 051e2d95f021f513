// Remarks on a bill with author and time, and a form for a new one. Remarks cannot be changed.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import Alert from '@mui/material/Alert';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { noteReaders, type BillNote } from '../contract.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { creditsApi, creditsKey } from './api.ts';

export function Remarks({ billId, notes }: { billId: Id<'bil'>; notes: readonly BillNote[] }) {
  const { t } = useTranslation('credits');
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Typography variant="h3">{t('credits.remarks')}</Typography>
      {notes.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('credits.remarks_none')}
        </Typography>
      ) : (
        <RemarkList notes={notes} />
      )}
      <NewRemark key={notes.length} billId={billId} />
    </Stack>
  );
}

export function RemarkList({ notes }: { notes: readonly BillNote[] }) {
  const { t } = useTranslation('credits');
  return (
    <Box component="ul" aria-label={t('credits.remarks')} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {notes.map((note) => (
        <Box
          component="li"
          key={note.id}
          sx={{ paddingBlock: 1, borderTop: '1px solid', borderColor: 'divider', fontSize: '0.875rem' }}
        >
          <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{note.body}</Box>
          <Typography variant="caption" component="span" color="textSecondary">
            <Moment at={note.writtenAt} as="dateTime" />
            {/* used as: 'credits.for_*' */}
            {note.by !== null && ` · ${note.by} · ${t(`credits.for_${note.visibleTo}`)}`}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

function NewRemark({ billId }: { billId: Id<'bil'> }) {
  const { t } = useTranslation('credits');
  const [body, setBody] = useState('');
  const [visibleTo, setVisibleTo] = useState<BillNote['visibleTo']>('admins');
  const required = useRequired(body.trim() !== '');
  const add = useCall(creditsApi.addBillNote, {
    invalidates: [creditsKey('adminBillHistory')],
    onSuccess: () => toast.success(t('credits.remark_added')),
  });
  return (
    <Stack sx={{ gap: 1 }}>
      {add.error && <Alert severity="error">{add.error.message}</Alert>}
      <TextBox
        name="remark"
        label={t('credits.remark')}
        value={body}
        problem={required.problem}
        inputRef={required.input}
        onChange={setBody}
        rows={2}
      />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <SelectBox
          label={t('credits.remark_for')}
          value={visibleTo}
          options={noteReaders.map((one) => ({ value: one, label: t(`credits.for_${one}`) }))}
          onChange={setVisibleTo}
        />
        <Button
          variant="outlined"
          loading={add.isPending}
          onClick={() => required.check() && add.mutate({ billId, body: body.trim(), visibleTo })}
        >
          {t('credits.remark_add')}
        </Button>
      </Stack>
    </Stack>
  );
}
