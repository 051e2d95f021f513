// The keys that sign licenses, and replacing the current one.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedKey } from '../contract.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { licensingApi, licensingKey, licensingQueries } from './api.ts';
import { Mono } from './Mono.tsx';

export function KeyList() {
  const { t } = useTranslation('licensing');
  const [isRotating, setRotating] = useState(false);
  const query = useQuery(licensingQueries.publicKeys());
  const rotate = useCall(licensingApi.rotateLicenceKey, {
    invalidates: [licensingKey('publicKeys')],
    onSuccess: () => toast.success(t('licensing.rotated')),
  });
  return (
    <Section
      title={t('licensing.keys')}
      lead={t('licensing.keys_lead')}
      actions={
        <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => setRotating(true)}>
          {t('licensing.rotate')}
        </Button>
      }
    >
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {({ keys }) => (
          <Stack component="ul" sx={{ listStyle: 'none', padding: 0, margin: 0, gap: 1.5 }}>
            {keys.map((key) => (
              <Key key={key.keyId} of={key} />
            ))}
          </Stack>
        )}
      </QueryState>
      {isRotating && (
        <ReasonDialog
          role="alertdialog"
          title={t('licensing.rotate_title')}
          confirm={t('licensing.rotate')}
          lead={<Typography variant="body2">{t('licensing.rotate_how')}</Typography>}
          field={{ label: t('licensing.reason'), max: 300 }}
          onReason={(reason) => rotate.mutateAsync({ reason })}
          onClose={() => setRotating(false)}
        />
      )}
    </Section>
  );
}

function Key({ of: { keyId, publicKey, madeAt, retiredAt } }: { of: ListedKey }) {
  const { t } = useTranslation('licensing');
  const format = useFormat();
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap', minHeight: 32 }}
    >
      <span>
        <Mono text={keyId} /> <CopyButton text={publicKey} label={t('ui.copy')} />
      </span>
      <Typography variant="caption" color="textSecondary">
        {madeAt === null ? t('licensing.key_first') : t('licensing.key_made', { date: format.date(madeAt) })}
        {retiredAt && ` · ${t('licensing.key_retired', { date: format.date(retiredAt) })}`}
      </Typography>
      {retiredAt === null && <StatusBadge tone="success" label={t('licensing.key_present')} />}
    </Box>
  );
}
