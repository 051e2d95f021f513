// While demo data exist: what there is of them, and a button that removes all.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { DemoData } from '../../console/contract.ts';
import { dashboardApi } from './api.ts';

export function DemoNotice({ found }: { found: DemoData }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const cache = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  // Any loaded query may hold demo data, so all are fetched again.
  const remove = useCall(dashboardApi.removeDemoData, { onSuccess: () => void cache.invalidateQueries() });
  const counts = {
    organizations: format.number(found.organizations),
    services: format.number(found.services),
    subscriptions: format.number(found.subscriptions),
    bills: format.number(found.bills),
    people: format.number(found.people),
  };
  const confirm = async (): Promise<void> => {
    await remove.mutateAsync({});
    toast.success(t('demo.removed'));
  };
  return (
    <Section title={t('demo.title')}>
      <Stack sx={{ gap: 1.5, alignItems: 'flex-start' }}>
        <Typography variant="body2">{t('demo.lead', counts)}</Typography>
        {found.others > 0 ? (
          <>
            <Typography variant="body2" color="textSecondary">
              {t('demo.mixed', { count: format.number(found.others) })}
            </Typography>
            <Button variant="outlined" component={Link} to="/admin/organizations">
              {t('demo.to_organizations')}
            </Button>
          </>
        ) : (
          <Button variant="outlined" color="error" onClick={() => setIsAsking(true)}>
            {t('demo.remove')}
          </Button>
        )}
      </Stack>
      <ConfirmDialog
        open={isAsking}
        title={t('demo.ask')}
        consequences={[
          t('demo.effect_all', counts),
          ...(found.bills > 0 ? [t('demo.effect_books', counts)] : []),
          ...(found.people > 0 ? [t('demo.effect_people', counts)] : []),
          t('demo.effect_stays'),
        ]}
        confirmLabel={t('demo.remove')}
        tone="danger"
        proof={found.bills > 0 || found.people > 0 ? 'tick' : 'ask'}
        onConfirm={confirm}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}
