// Step 3: done; offers the demo data, whose import shows its progress.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { administrationApi } from './api.ts';
import { DemoProgress } from './DemoProgress.tsx';

export function SetupDone() {
  const { t } = useTranslation('administration');
  return (
    <>
      <Section>
        <EmptyState
          title={t('administration.done_title')}
          hint={t('administration.done_text')}
          icon={<CheckCircleOutlined />}
          action={
            <Button component={Link} to="/admin/dashboard" variant="contained" size="large">
              {t('administration.to_dashboard')}
            </Button>
          }
        />
      </Section>
      <DemoData />
    </>
  );
}

function DemoData() {
  const { t } = useTranslation('administration');
  const [importId, setImportId] = useState<Id<'imp'>>();
  const start = useCall(administrationApi.importDemo, { onSuccess: ({ id }) => setImportId(id) });
  return (
    <Section title={t('administration.demo_title')} lead={t('administration.demo_text')}>
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        {start.error && <Alert severity="error">{start.error.message}</Alert>}
        {importId === undefined ? (
          <Button variant="outlined" loading={start.isPending} onClick={() => start.mutate({})}>
            {t('administration.demo_start')}
          </Button>
        ) : (
          <DemoProgress importId={importId} />
        )}
      </Stack>
    </Section>
  );
}
