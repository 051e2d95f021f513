// The mapping of each ledger account to the accounting program: whole accounts, and parts with a mapping of
// their own.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { PlainTable, type PlainRow } from '#platform/web/ui/PlainTable.tsx';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { accountKinds } from '#features/invoicing/ledger/contract.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import type { accounting, Mapping } from '../contract.ts';
import { accountingApi, accountingKey, accountingQueries } from './api.ts';
import { MappingDialog, type Edited } from './MappingDialog.tsx';
import { useAccountName, usePartName } from './names.ts';

type Listed = Out<typeof accounting.listMappings>;

export function Mappings() {
  const { t } = useTranslation('accounting');
  const query = useQuery(accountingQueries.listMappings());
  return (
    <Section title={t('accounting.mappings')} lead={t('accounting.mappings_lead')} flush>
      <QueryState query={query} skeleton={<Lines count={6} />}>
        {(listed) => <Table listed={listed} />}
      </QueryState>
    </Section>
  );
}

function Table({ listed }: { listed: Listed }) {
  const { t } = useTranslation('accounting');
  const accountName = useAccountName();
  const partName = usePartName();
  const [edited, setEdited] = useState<Edited>();
  const [removing, setRemoving] = useState<Mapping>();
  const remove = useCall(accountingApi.removeMapping, {
    invalidates: [accountingKey()],
    onSuccess: () => toast.success(t('accounting.mapping_removed')),
  });
  const { items, unmapped } = listed;
  const canSplit = (kind: AccountKind) =>
    listed.currencies.length > 1 ||
    (kind === 'tax' && listed.taxRates.length > 0) ||
    (kind === 'revenue' && listed.services.length > 0);
  const split = (accountKind: AccountKind) => ({
    label: t('accounting.mapping_split'),
    onClick: () => setEdited({ accountKind, mapping: null, isSplit: true }),
  });
  const missing = (kind: AccountKind): PlainRow => ({
    key: kind,
    cells: [
      accountName(kind),
      t('accounting.part_whole'),
      <StatusBadge key="state" tone="warning" label={t('accounting.mapping_missing')} />,
      '',
      '',
      <Button
        aria-haspopup="dialog"
        key="set"
        size="small"
        aria-label={t('accounting.mapping_set_of', { account: accountName(kind) })}
        onClick={() => setEdited({ accountKind: kind, mapping: null, isSplit: false })}
      >
        {t('accounting.mapping_set')}
      </Button>,
    ],
  });
  const row = (mapping: Mapping): PlainRow => ({
    key: mapping.id,
    cells: [
      accountName(mapping.accountKind),
      partName(mapping),
      mapping.code,
      mapping.name,
      mapping.department,
      <RowMenu
        key="menu"
        name={`${accountName(mapping.accountKind)} ${partName(mapping)}`}
        actions={[
          {
            label: t('accounting.mapping_change'),
            onClick: () => setEdited({ accountKind: mapping.accountKind, mapping, isSplit: false }),
          },
          ...(canSplit(mapping.accountKind) ? [split(mapping.accountKind)] : []),
          { label: t('accounting.mapping_remove'), danger: true, onClick: () => setRemoving(mapping) },
        ]}
      />,
    ],
  });
  const rows = accountKinds.flatMap((kind) => [
    ...(unmapped.includes(kind) ? [missing(kind)] : []),
    ...items.filter((one) => one.accountKind === kind).map(row),
  ]);
  if (rows.length === 0)
    return (
      <EmptyState compact title={t('accounting.mapping_empty')} hint={t('accounting.mapping_empty_hint')} />
    );
  return (
    <Stack>
      {unmapped.length > 0 && (
        <Alert severity="warning" sx={{ margin: { xs: '0 16px 12px', sm: '0 24px 12px' } }}>
          {t('accounting.unmapped_count', { count: unmapped.length })}
        </Alert>
      )}
      <PlainTable
        label={t('accounting.mappings')}
        words={5}
        heads={[
          t('accounting.account'),
          t('accounting.part'),
          t('accounting.code'),
          t('accounting.name'),
          t('accounting.department'),
          t('accounting.actions'),
        ]}
        rows={rows}
      />
      {edited && <MappingDialog edited={edited} listed={listed} onClose={() => setEdited(undefined)} />}
      <ConfirmDialog
        open={removing !== undefined}
        title={t('accounting.mapping_remove_ask', {
          account: removing ? accountName(removing.accountKind) : '',
          code: removing?.code ?? '',
          name: removing?.name ?? '',
        })}
        consequences={[t('accounting.mapping_remove_effect'), t('accounting.mapping_remove_kept')]}
        confirmLabel={t('accounting.mapping_remove')}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync({ mappingId: removing.id });
        }}
        onClose={() => setRemoving(undefined)}
      />
    </Stack>
  );
}
