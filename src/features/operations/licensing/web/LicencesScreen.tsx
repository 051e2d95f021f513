// Licenses of customers' machines: the list, issuing, renewing and revoking them, tools and keys.
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { licenceStates, type Licence } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { licensingApi, licensingQueries } from './api.ts';
import { IssueDialog } from './IssueDialog.tsx';
import { KeyList } from './KeyList.tsx';
import { LicencePanel } from './LicencePanel.tsx';
import { RenewDialog, RevokeDialog, type OpenAction } from './LicenceDialogs.tsx';
import { LicenceState } from './LicenceState.tsx';
import { VerifierTools } from './VerifierTools.tsx';

export function LicencesScreen() {
  const { t } = useTranslation('licensing');
  const [open, setOpen] = useParam('licence');
  const [isIssuing, setIssuing] = useState(false);
  const [doing, setDoing] = useState<OpenAction>();
  const state = useTableState({ filters: { state: licenceStates }, sort: '-issuedAt' });
  const query = usePagedQuery(licensingQueries.listLicences(state.query));
  const actions = useActions(setOpen, setDoing);
  const add = <AddButton onClick={() => setIssuing(true)}>{t('licensing.issue')}</AddButton>;
  return (
    <Page title={t('licensing.title')} lead={t('licensing.lead')} actions={add}>
      <DataTable
        list="licences"
        label={t('licensing.list')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(licence) => licence.id}
        rowName={(licence) => licence.machine || licence.id}
        searchLabel={t('licensing.search')}
        // used as: 'licensing.state_*'
        filters={{
          state: {
            label: t('licensing.state'),
            options: licenceStates.map((one) => ({ value: one, label: t(`licensing.state_${one}`) })),
          },
        }}
        empty={<EmptyState title={t('licensing.none')} hint={t('licensing.none_hint')} action={add} />}
        rowActions={actions}
        onRowClick={(licence) => setOpen(licence.id)}
      />
      <Grid columns={2}>
        <VerifierTools />
        <KeyList />
      </Grid>
      {open !== undefined && (
        <LicencePanel licenceId={open} onClose={() => setOpen(undefined)} onOpen={setOpen} onDo={setDoing} />
      )}
      {isIssuing && <IssueDialog onClose={() => setIssuing(false)} />}
      {doing?.what === 'renew' && (
        <RenewDialog
          licence={doing.licence}
          onClose={() => setDoing(undefined)}
          onRenewed={(licenceId) => setOpen(licenceId)}
        />
      )}
      {doing?.what === 'revoke' && (
        <RevokeDialog licence={doing.licence} onClose={() => setDoing(undefined)} />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<Licence>[] {
  const { t } = useTranslation('licensing');
  return [
    {
      key: 'organization',
      label: t('licensing.organization'),
      card: 'title',
      sortable: true,
      render: (licence) => licence.organization,
    },
    { key: 'service', label: t('licensing.service'), render: (licence) => licence.service },
    { key: 'machine', label: t('licensing.machine'), render: (licence) => licence.machine || '–' },
    {
      key: 'state',
      label: t('licensing.state'),
      render: (licence) => <LicenceState state={licence.state} />,
    },
    {
      key: 'issuedAt',
      label: t('licensing.issued_at'),
      sortable: true,
      show: 'wide',
      render: (licence) => <Moment at={licence.issuedAt} as="dateTime" />,
    },
    {
      key: 'expiresAt',
      label: t('licensing.expires_at'),
      sortable: true,
      render: (licence) => <Moment at={licence.expiresAt} as="dateTime" />,
    },
  ];
}

function useActions(
  onOpen: (licenceId: string) => void,
  onDo: (doing: OpenAction) => void,
): (licence: Licence) => readonly RowAction[] {
  const { t } = useTranslation('licensing');
  const download = useDownload();
  return (licence) => {
    const isOver = licence.state === 'revoked' || licence.state === 'superseded';
    return [
      { label: t('licensing.open'), onClick: () => onOpen(licence.id) },
      {
        label: t('licensing.download'),
        onClick: () =>
          void download((options) => licensingApi.licenceFile({ licenceId: licence.id }, options)),
      },
      ...(isOver ? [] : [{ label: t('licensing.renew'), onClick: () => onDo({ what: 'renew', licence }) }]),
      ...(licence.state === 'revoked'
        ? []
        : [{ label: t('licensing.revoke'), danger: true, onClick: () => onDo({ what: 'revoke', licence }) }]),
    ];
  };
}
