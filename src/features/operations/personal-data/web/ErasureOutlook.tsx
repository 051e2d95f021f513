// The preview of an erasure, before it is confirmed: table by table, what the law requires to keep, and the
// obstacles.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { text } from '#kernel/shape.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { ErasurePreview } from '../contract.ts';
import { personalDataApi, personalDataKey, personalDataQueries } from './api.ts';

const schema = z.strictObject({ reason: text(500), name: text(200) });
const formId = 'erase';

export function ErasureOutlook({
  subjectId,
  onClose,
}: {
  readonly subjectId: Id<'org'> | Id<'usr'>;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('personaldata');
  const query = useQuery(personalDataQueries.previewErasure({ subjectId }));
  const form = useZodForm(schema, { reason: '', name: '' });
  const erase = useCall(personalDataApi.startErasure, { invalidates: [personalDataKey()] });
  const isFree = query.data?.obstacles.length === 0;
  return (
    <SidePanel
      open
      title={t('personaldata.erase')}
      onClose={onClose}
      width={640}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          {isFree && (
            <SubmitButton form={form} formId={formId} color="error">
              {t('personaldata.erase_final')}
            </SubmitButton>
          )}
        </>
      }
    >
      {query.data ? (
        <Stack sx={{ gap: 3 }}>
          <Outlook preview={query.data} />
          {isFree && (
            <Form
              form={form}
              id={formId}
              label={t('personaldata.erase')}
              onSubmit={async ({ reason, name }) => {
                await erase.mutateAsync({ subjectId, reason, name });
                toast.success(t('personaldata.erasing'));
                onClose();
              }}
            >
              <TextField
                form={form}
                name="reason"
                label={t('personaldata.reason')}
                help={t('personaldata.reason_help')}
                required
              />
              <TextField
                form={form}
                name="name"
                label={t('personaldata.type_name', { name: query.data.name })}
                required
              />
            </Form>
          )}
        </Stack>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Lines count={8} />
      )}
    </SidePanel>
  );
}

function Outlook({ preview }: { readonly preview: ErasurePreview }) {
  const { t } = useTranslation('personaldata');
  const format = useFormat();
  const { name, people, obstacles, counts, remains, backupsUntil, booksUntil } = preview;
  return (
    <>
      <Stack sx={{ gap: 0.5 }}>
        <Typography variant="h3">
          {t('personaldata.preview_people', { name, people: format.number(people) })}
        </Typography>
        <Typography color="text.secondary">{t('personaldata.preview_nothing')}</Typography>
      </Stack>
      {obstacles.length > 0 && (
        <Alert severity="warning">
          {t('personaldata.preview_blocked')}
          <ul>
            {obstacles.map(({ kind, count }) => (
              // used as: 'personaldata.obstacle_*'
              <li key={kind}>{t(`personaldata.obstacle_${kind}`, { count })}</li>
            ))}
          </ul>
        </Alert>
      )}
      <PlainTable
        label={t('personaldata.preview')}
        heads={[
          t('personaldata.column_table'),
          t('personaldata.column_deleted'),
          t('personaldata.column_changed'),
        ]}
        rows={counts.map(({ table, deleted, changed }) => ({
          key: table,
          cells: [table, format.number(deleted), format.number(changed)],
        }))}
      />
      {remains.length === 0 ? (
        <Typography>{t('personaldata.remains_none')}</Typography>
      ) : (
        <Stack sx={{ gap: 1 }}>
          <Typography variant="h3">{t('personaldata.remains')}</Typography>
          <PlainTable
            label={t('personaldata.remains')}
            heads={[t('personaldata.column_field'), t('personaldata.column_rows')]}
            rows={remains.map(({ field, rows }) => ({ key: field, cells: [field, format.number(rows)] }))}
          />
        </Stack>
      )}
      <Stack sx={{ gap: 0.5, color: 'text.secondary' }}>
        {booksUntil !== null && (
          <Typography>
            {t('personaldata.books_until', { date: format.date(new Date(`${booksUntil}T00:00:00Z`)) })}
          </Typography>
        )}
        <Typography>{t('personaldata.backups_until', { date: format.date(backupsUntil) })}</Typography>
      </Stack>
    </>
  );
}
