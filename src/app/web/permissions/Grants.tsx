// The permissions that can be withdrawn from a role: switched, previewed, saved.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { labelStart } from '#platform/web/form/TickBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Grant, GrantName, GrantsPreview } from '../../grants/contract.ts';
import { dashboardKey } from '../dashboards/api.ts';
import { grantsApi, grantsKey, grantsQueries } from './grants-api.ts';

const takenOf = (items: readonly Grant[]): GrantName[] =>
  items.filter((grant) => !grant.isAllowed).map((grant) => grant.name);

export function Grants() {
  const { t } = useTranslation('console');
  const query = useQuery(grantsQueries.listGrants());
  return (
    <Section title={t('permissions.grants')} lead={t('permissions.grants_lead')}>
      <QueryState query={query} skeleton={<Lines count={6} />}>
        {({ items }) => <Editor key={takenOf(items).join()} items={items} />}
      </QueryState>
    </Section>
  );
}

function Editor({ items }: { items: readonly Grant[] }) {
  const { t } = useTranslation('console');
  const before = takenOf(items);
  const [taken, setTaken] = useState<readonly GrantName[]>(before);
  const preview = useCall(grantsApi.previewGrants);
  const isSame = taken.toSorted().join() === before.toSorted().join();
  const turn = (name: GrantName, isAllowed: boolean): void =>
    setTaken(isAllowed ? taken.filter((each) => each !== name) : [...taken, name]);
  return (
    <Stack sx={{ gap: 1.5 }}>
      {items.map((grant) => (
        <GrantSwitch
          key={grant.name}
          grant={grant}
          isAllowed={!taken.includes(grant.name)}
          onChange={(isAllowed) => turn(grant.name, isAllowed)}
        />
      ))}
      {preview.error && <Alert severity="error">{preview.error.message}</Alert>}
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', marginTop: 1 }}>
        <Button
          variant="contained"
          disabled={isSame}
          loading={preview.isPending}
          onClick={() => preview.mutate({ withdrawn: [...taken] })}
        >
          {t('permissions.grants_review')}
        </Button>
        <Button disabled={taken.length === 0} onClick={() => setTaken([])}>
          {t('permissions.grants_reset')}
        </Button>
      </Stack>
      {preview.data && (
        <SaveDialog preview={preview.data} withdrawn={taken} before={before} onClose={preview.reset} />
      )}
    </Stack>
  );
}

function GrantSwitch({
  grant,
  isAllowed,
  onChange,
}: {
  grant: Grant;
  isAllowed: boolean;
  onChange: (isAllowed: boolean) => void;
}) {
  const { t } = useTranslation('console');
  // used as: 'permissions.grant_*', 'role.*'
  return (
    <Box>
      <FormControlLabel
        control={<Switch checked={isAllowed} onChange={(_, isOn) => onChange(isOn)} />}
        label={t(`permissions.grant_${grant.name}`)}
      />
      <Typography variant="caption" component="p" color="textSecondary" sx={labelStart.switch}>
        {[
          t(`role.${grant.role}`),
          t('permissions.grant_calls', { count: grant.routes.length }),
          t(isAllowed ? 'permissions.allowed' : 'permissions.denied'),
        ].join(' · ')}
      </Typography>
    </Box>
  );
}

function SaveDialog({
  preview,
  withdrawn,
  before,
  onClose,
}: {
  preview: GrantsPreview;
  withdrawn: readonly GrantName[];
  before: readonly GrantName[];
  onClose: () => void;
}) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const save = useCall(grantsApi.saveGrants, {
    invalidates: [grantsKey(), dashboardKey('permissions')],
    onSuccess: () => toast.success(t('permissions.grants_saved')),
  });
  return (
    <ConfirmDialog
      open
      title={t('permissions.grants_ask')}
      // used as: 'permissions.grant_*', 'role.*'
      consequences={preview.changes.map(({ name, role, isAllowed, users, routes }) =>
        t(isAllowed ? 'permissions.grants_wins' : 'permissions.grants_loses', {
          role: t(`role.${role}`),
          users: format.number(users),
          grant: t(`permissions.grant_${name}`),
          count: routes.length,
        }),
      )}
      confirmLabel={t('permissions.grants_confirm')}
      onConfirm={() => save.mutateAsync({ withdrawn: [...withdrawn], before: [...before] })}
      onClose={onClose}
    >
      {preview.changes.length === 0 ? t('permissions.grants_none') : undefined}
    </ConfirmDialog>
  );
}
