// An organization's own commitments: how much of the period is used, the forecast, and each period so far.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { OwnCommitment } from '../contract.ts';
import { commitmentsKey, commitmentsQueries } from './api.ts';
import { OwnCommitmentItem } from './OwnCommitmentItem.tsx';

/** A section of the page on agreements; renders nothing for an organization without commitments. */
export function OwnCommitments() {
  const { t } = useTranslation('commitments');
  const [isAll, setIsAll] = useState(false);
  useLive('commitments', [commitmentsKey('ownCommitments')]);
  useLive('usage', [commitmentsKey('ownCommitments')], 'slow');
  const query = useQuery(commitmentsQueries.ownCommitments());
  if (query.data ? query.data.items.length === 0 : query.isPending) return null;
  return (
    <Section title={t('commitments.own_title')} lead={t('commitments.own_lead')}>
      <QueryState query={query} skeleton={<Lines count={5} />}>
        {({ items }) => {
          const open = items.filter(({ state }) => state !== 'ended');
          const ended = items.filter(({ state }) => state === 'ended');
          return (
            <>
              {open.length > 0 && <List commitments={open} label={t('commitments.own_title')} />}
              {ended.length > 0 && (
                <Box sx={{ marginTop: open.length > 0 ? 2 : 0 }}>
                  <Button
                    size="small"
                    aria-expanded={isAll}
                    onClick={() => setIsAll(!isAll)}
                    data-screen-only
                  >
                    {isAll
                      ? t('commitments.hide_ended')
                      : t('commitments.show_ended', { count: ended.length })}
                  </Button>
                  {isAll && (
                    <Box sx={{ marginTop: 2 }}>
                      <List commitments={ended} label={t('commitments.ended_list')} />
                    </Box>
                  )}
                </Box>
              )}
            </>
          );
        }}
      </QueryState>
    </Section>
  );
}

function List({ commitments, label }: { commitments: readonly OwnCommitment[]; label: string }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 3 }}
    >
      {commitments.map((commitment) => (
        <OwnCommitmentItem key={commitment.id} commitment={commitment} />
      ))}
    </Box>
  );
}
