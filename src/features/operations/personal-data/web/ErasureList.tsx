// For Admins: past erasures with their certificates, and a new erasure.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Erasure } from '../contract.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { codeOfPseudonym } from '../rules-erasure.ts';
import { personalDataApi, personalDataQueries } from './api.ts';
import { ErasePanel } from './ErasePanel.tsx';

const progressMs = 1500;
const quiet = { typography: 'caption', color: 'text.secondary' } as const;

export function ErasureList() {
  const { t } = useTranslation('personaldata');
  const format = useFormat();
  const download = useDownload();
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery({
    ...personalDataQueries.listErasures(),
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => one.state !== 'done') ? progressMs : false,
  });
  const nameOf = ({ subject }: Erasure): string => {
    const code = codeOfPseudonym(subject);
    return code === undefined ? subject : t('personaldata.erased_code', { code });
  };
  const columns: readonly Column<Erasure>[] = [
    {
      key: 'subject',
      label: t('personaldata.subject'),
      card: 'title',
      render: (one) => (
        <>
          {nameOf(one)}
          {/* used as: 'personaldata.kind_*' */}
          <Box sx={quiet}>{t(`personaldata.kind_${one.kind}`)}</Box>
        </>
      ),
    },
    {
      key: 'askedAt',
      label: t('personaldata.asked_at'),
      render: (one) => (
        <>
          <Moment at={one.askedAt} as="dateTime" />
          <Box sx={quiet}>{one.askedBy}</Box>
        </>
      ),
    },
    { key: 'reason', label: t('personaldata.reason'), show: 'wide', render: (one) => one.reason },
    {
      key: 'state',
      label: t('personaldata.state'),
      render: (one) => (
        <>
          {/* used as: 'personaldata.erasure_*' */}
          <StatusBadge
            tone={one.state === 'done' ? 'success' : 'info'}
            label={t(`personaldata.erasure_${one.state}`)}
          />
          {one.state === 'done' && (
            <Box sx={quiet}>{t(one.checkedAt ? 'personaldata.checked' : 'personaldata.not_checked')}</Box>
          )}
        </>
      ),
    },
    {
      key: 'result',
      label: t('personaldata.result'),
      render: (one) => (
        <>
          {t('personaldata.result_of', {
            deleted: format.number(one.deleted),
            changed: format.number(one.changed),
          })}
          {one.remains.length > 0 && (
            <Box sx={quiet}>
              {t('personaldata.result_remains', {
                rows: format.number(one.remains.reduce((sum, { rows }) => sum + rows, 0)),
              })}
            </Box>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      label: t('personaldata.actions'),
      card: 'foot',
      align: 'right',
      render: (one) =>
        one.state === 'done' && (
          <Button
            size="small"
            variant="outlined"
            onClick={() =>
              void download((options) => personalDataApi.erasureCertificate({ erasureId: one.id }, options))
            }
            aria-label={t('personaldata.certificate_of', { name: nameOf(one) })}
          >
            {t('personaldata.certificate')}
          </Button>
        ),
    },
  ];
  return (
    <>
      <FullTable
        title={t('personaldata.erasures')}
        lead={t('personaldata.erasures_lead')}
        actions={
          <Button aria-haspopup="dialog" variant="outlined" color="error" onClick={() => setIsOpen(true)}>
            {t('personaldata.erase')}
          </Button>
        }
        query={query}
        columns={columns}
        rowKey={(one) => one.id}
        rowName={(one) => one.subject}
        empty={
          <EmptyState
            compact
            title={t('personaldata.erasures_empty')}
            hint={t('personaldata.erasures_hint')}
          />
        }
      />
      {isOpen && <ErasePanel onClose={() => setIsOpen(false)} />}
    </>
  );
}
