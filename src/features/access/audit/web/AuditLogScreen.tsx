// R-ADM-03: who did what to which subject, when: searched, filtered, exported, and verified.
import FactCheckOutlined from '~icons/ic/outline-fact-check';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { isDay } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { AuditRow } from '../contract.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { Days } from '#platform/web/ui/Day.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { Words } from '#platform/web/ui/NoWrap.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState, writeTable } from '#platform/web/ui/table-state.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { auditApi, auditQueries } from './api.ts';
import { AuditPanel } from './AuditPanel.tsx';
import { ActionChoice, ActorChoice } from './Filters.tsx';
import { VerifyDialog } from './VerifyDialog.tsx';

export function AuditLogScreen() {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const language = useLanguage();
  const [open, setOpen] = useParam('row');
  const [isVerifying, setVerifying] = useState(false);
  const { state, filter, bar, search } = useFilters();
  const { limit, cursor } = state.query;
  const query = usePagedQuery(
    auditQueries.listAudit({ ...filter, limit, language, ...(cursor !== undefined && { cursor }) }),
  );
  const download = useDownload();
  const actorName = query.data?.items.find((row) => row.actor.id === filter.actorId)?.actor.name;
  return (
    <Page
      title={t('audit.title')}
      lead={t('audit.lead')}
      actions={
        <>
          <ExportMenu
            label={t('audit.export')}
            formats={[
              { value: 'xlsx', name: t('audit.export_xlsx'), hint: t('audit.export_xlsx_hint') },
              { value: 'csv', name: t('audit.export_csv'), hint: t('audit.export_csv_hint') },
            ]}
            onTake={(format: 'csv' | 'xlsx') =>
              void download((options) => auditApi.exportAudit({ ...filter, format, language }, options))
            }
          />
          <Button
            variant="contained"
            startIcon={<FactCheckOutlined />}
            aria-haspopup="dialog"
            onClick={() => setVerifying(true)}
          >
            {t('audit.verify')}
          </Button>
        </>
      }
    >
      <DataTable
        list="audit-log"
        label={t('audit.title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(row) => row.id}
        rowName={(row) => row.actionName}
        rowDetail={(row) => format.dateTimeTable(row.at)}
        searchLabel={t('audit.search')}
        moreFilters={bar(actorName === '' ? undefined : actorName)}
        empty={<EmptyState title={t('audit.none')} hint={t('audit.none_hint')} />}
        onRowClick={(row) => setOpen(row.id)}
      />
      {open !== undefined && (
        <AuditPanel rowId={open} onClose={() => setOpen(undefined)} onSearch={(q) => search(q)} />
      )}
      {isVerifying && (
        <VerifyDialog
          onClose={() => setVerifying(false)}
          onOpen={(rowId) => {
            setVerifying(false);
            setOpen(rowId);
          }}
        />
      )}
    </Page>
  );
}

/** The filters in the URL: the search is in the list's own state, the others are separate. */
function useFilters() {
  const { t } = useTranslation('audit');
  const table = useTableState({ alsoInView: ['actor', 'action', 'from', 'to'] });
  const [params, setParams] = useAddressParams();
  const [actorId, action, fromText, toText] = ['actor', 'action', 'from', 'to'].map(
    (name) => params.get(name) ?? undefined,
  );
  const [from, to] = [isDay(fromText) ? fromText : undefined, isDay(toText) ? toText : undefined];
  const { q } = table.query;
  const filter = {
    ...(q !== undefined && { q }),
    ...(actorId !== undefined && { actorId }),
    ...(action !== undefined && { action }),
    ...(from && { from }),
    ...(to && { to }),
  };
  // Everything in one change of the URL: a second change at the same moment would start from the old URL and
  // undo the first.
  const change = (values: Readonly<Record<string, string | undefined>>) =>
    setParams((now) => writeTable(now, values), { preventScrollReset: true });
  const clear = () =>
    change({ q: undefined, actor: undefined, action: undefined, from: undefined, to: undefined });
  const bar = (actorName: string | undefined) => (
    <>
      <ActorChoice value={actorId} name={actorName} onChange={(next) => change({ actor: next })} />
      <ActionChoice value={action} onChange={(next) => change({ action: next })} />
      <Days
        from={{ label: t('audit.from'), value: from, onChange: (day) => change({ from: day }) }}
        to={{ label: t('audit.to'), value: to, onChange: (day) => change({ to: day }) }}
      />
    </>
  );
  return {
    state: { ...table, isNarrowed: Object.keys(filter).length > 0, clear },
    filter,
    bar,
    search: (id: string) =>
      change({ q: id, row: undefined, actor: undefined, action: undefined, from: undefined, to: undefined }),
  };
}

function useColumns(): readonly Column<AuditRow>[] {
  const { t } = useTranslation('audit');
  return [
    {
      key: 'at',
      label: t('audit.at'),
      width: 170,
      render: (row) => (
        <>
          <Moment at={row.at} as="dateTime" />
          {/* The moment opens the row; several actions of a minute would sound alike. */}
          <VisuallyHidden>{` ${row.actionName}`}</VisuallyHidden>
        </>
      ),
    },
    {
      key: 'actor',
      label: t('audit.actor'),
      width: 'clamp(168px, 15vw, 216px)',
      render: (row) => <Actor row={row} />,
    },
    { key: 'action', label: t('audit.action'), card: 'title', render: (row) => row.actionName },
    {
      key: 'subject',
      label: t('audit.subject'),
      render: (row) =>
        row.subject === null ? (
          '–'
        ) : (
          <TwoLines
            first={row.subjectName ?? <Identifier text={row.subject} />}
            second={row.subjectName === null ? '' : row.subject}
            hasSecondIfWide
          />
        ),
    },
    {
      key: 'requestId',
      label: t('audit.request'),
      show: 'wide',
      card: 'hidden',
      render: (row) => <Identifier text={row.requestId} />,
    },
  ];
}

function Identifier({ text }: { text: string }) {
  return (
    <Typography component="span" variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      {text}
    </Typography>
  );
}

function Actor({ row: { actor } }: { row: AuditRow }) {
  const { t } = useTranslation('audit');
  // used as: 'audit.actor_*'
  const kind = t(`audit.actor_${actor.kind}`);
  return (
    <TwoLines
      first={actor.name === '' || actor.kind === 'system' ? kind : actor.name}
      second={secondOf(actor, kind)}
    />
  );
}

/** The line below an actor: the account, or what else acted; below *System*, the job. */
function secondOf(actor: AuditRow['actor'], kind: string): ReactNode {
  if (actor.account !== '') return <MailAddress text={actor.account} />;
  if (actor.name === '') return '';
  return actor.kind === 'system' ? <code>{actor.name}</code> : kind;
}

/** `hasSecondIfWide`: the second line is an identifier, which takes two lines below 900 px; the panel has it. */
function TwoLines({
  first,
  second,
  hasSecondIfWide = false,
}: {
  first: ReactNode;
  second: ReactNode;
  hasSecondIfWide?: boolean;
}) {
  return (
    <Stack component="span" sx={{ minWidth: 0 }}>
      <Typography component="span" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        <Words>{first}</Words>
      </Typography>
      {second !== '' && (
        <Typography
          component="span"
          variant="caption"
          color="textSecondary"
          sx={{
            overflowWrap: 'anywhere',
            ...(hasSecondIfWide && { display: { sm: 'none', md: 'inline' } }),
          }}
        >
          {second}
        </Typography>
      )}
    </Stack>
  );
}
