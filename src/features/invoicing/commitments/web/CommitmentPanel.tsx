// One commitment beside the list: the forecast of its period, its terms, its periods, and what bills drew
// from it.
import { inLanguage, contentLanguageOf } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { CommitmentDetail } from '../contract.ts';
import { commitmentsQueries } from './api.ts';
import { CommitmentBadge } from './Badge.tsx';
import { CurrentPeriod } from './CurrentPeriod.tsx';
import { useCommitmentWords } from './commitment-words.ts';
import { EditDialog } from './EditDialog.tsx';
import { EndDialog } from './EndDialog.tsx';
import { PeriodList } from './PeriodList.tsx';
import { UseList } from './UseList.tsx';

export function CommitmentPanel({ open, onClose }: { open: string | undefined; onClose: () => void }) {
  return isId('cmt', open) ? <Opened key={open} commitmentId={open} onClose={onClose} /> : null;
}

function Opened({ commitmentId, onClose }: { commitmentId: Id<'cmt'>; onClose: () => void }) {
  const { t } = useTranslation('commitments');
  const { language } = useFormat();
  const [dialog, setDialog] = useState<'end' | 'edit'>();
  const query = useQuery(commitmentsQueries.adminGetCommitment({ commitmentId }));
  const found = query.data;
  const close = () => setDialog(undefined);
  return (
    <SidePanel
      open
      title={inLanguage(found?.name, language) ?? t('commitments.one')}
      width={600}
      onClose={onClose}
      footer={
        found && (
          <>
            {found.endsFrom !== null && (
              <Button
                color="error"
                aria-haspopup="dialog"
                onClick={() => setDialog('end')}
                sx={{ marginInlineEnd: 'auto' }}
              >
                {t('commitments.end')}
              </Button>
            )}
            <Button aria-haspopup="dialog" onClick={() => setDialog('edit')}>
              {t('commitments.edit')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines count={10} />}>
        {(commitment) => <Details commitment={commitment} />}
      </QueryState>
      {found && dialog === 'end' && found.endsFrom !== null && (
        <EndDialog commitment={found} from={found.endsFrom} onClose={close} />
      )}
      {found && dialog === 'edit' && <EditDialog commitment={found} onClose={close} />}
    </SidePanel>
  );
}

function Details({ commitment }: { commitment: CommitmentDetail }) {
  const { t } = useTranslation('commitments');
  const { language } = useFormat();
  const { current } = commitment;
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack sx={{ gap: 1.5 }}>
        <Box>
          <CommitmentBadge commitment={commitment} />
        </Box>
        {current && (
          <CurrentPeriod
            name={inLanguage(commitment.name, language)}
            state={commitment.state}
            current={current}
          />
        )}
      </Stack>
      <Facts items={useFacts(commitment)} />
      {commitment.periods.length > 0 && (
        <PanelPart title={t('commitments.periods')}>
          <PeriodList periods={commitment.periods} />
        </PanelPart>
      )}
      <PanelPart title={t('commitments.uses')}>
        <UseList uses={commitment.uses} />
      </PanelPart>
    </Stack>
  );
}

/** Text that may also be used within a sentence, starting with a capital letter here. */
function Sentence({ children }: { children: string }) {
  return <Box sx={{ '&::first-letter': { textTransform: 'uppercase' } }}>{children}</Box>;
}

function useFacts(commitment: CommitmentDetail): (readonly [string, ReactNode])[] {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const words = useCommitmentWords();
  const { startsOn, lastMonth, months, note, endedAt, settlement } = commitment;
  // used as: 'commitments.settlement_*'
  return [
    [
      t('commitments.column_organization'),
      <Link
        key="organization"
        component={RouterLink}
        to={`/admin/organizations?organization=${commitment.organizationId}`}
      >
        {commitment.organization}
      </Link>,
    ],
    [
      t('commitments.term'),
      lastMonth < startsOn
        ? t('commitments.ended_before')
        : settlement === null
          ? t('commitments.term_months', { months: words.months(startsOn, lastMonth), count: months })
          : words.months(startsOn, lastMonth),
    ],
    [
      t('commitments.column_amount'),
      <Sentence key="amount">{words.atLeast(commitment.period, commitment.amounts)}</Sentence>,
    ],
    [t('commitments.pricing'), <Sentence key="rates">{words.rates(commitment)}</Sentence>],
    [t('commitments.column_scope'), words.scope(commitment.scope)],
    [
      t('commitments.other_name'),
      commitment.name[contentLanguageOf(format.language) === 'zhTW' ? 'enUS' : 'zhTW'],
    ],
    [
      t('commitments.created'),
      <>
        <Moment at={commitment.createdAt} as="dateTime" />
        {` · ${commitment.createdBy}`}
      </>,
    ],
    ...(note === '' ? [] : [[t('commitments.column_note'), note] as const]),
    ...(endedAt && settlement
      ? [
          [
            t('commitments.ended_early'),
            t('commitments.ended_with', {
              month: format.month(lastMonth),
              settlement: t(`commitments.settlement_${settlement}`),
            }),
          ] as const,
          [
            t('commitments.ended_by'),
            <>
              <Moment at={endedAt} as="dateTime" />
              {` · ${commitment.endedBy ?? ''}`}
            </>,
          ] as const,
          [t('commitments.reason'), commitment.endReason ?? ''] as const,
        ]
      : []),
  ];
}
