// A subscription's history, newest first: what, when, by whom, and why.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { HistoryEntry } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { subscriptionsQueries } from './api.ts';

const shownAtFirst = 6;

/** `ofAnyone`: an Admin may view any organization's. */
export function SubscriptionHistory({
  subscriptionId,
  ofAnyone = false,
}: {
  subscriptionId: Id<'sub'>;
  ofAnyone?: boolean;
}) {
  const { t } = useTranslation('subscriptions');
  const [isWhole, setIsWhole] = useState(false);
  return (
    <Stack component="section" sx={{ gap: 1 }}>
      <Typography variant="h3">{t('subscriptions.history')}</Typography>
      <QueryState
        query={useQuery(
          ofAnyone
            ? subscriptionsQueries.adminSubscriptionHistory({ subscriptionId })
            : subscriptionsQueries.history({ subscriptionId }),
        )}
      >
        {({ items }) => (
          <>
            <Box
              component="ol"
              aria-label={t('subscriptions.history')}
              sx={{ listStyle: 'none', margin: 0, padding: 0 }}
            >
              {(isWhole ? items : items.slice(0, shownAtFirst)).map((entry, index) => (
                <Entry key={`${entry.at.toISOString()} ${index}`} entry={entry} />
              ))}
            </Box>
            {items.length > shownAtFirst && !isWhole && (
              <Button size="small" onClick={() => setIsWhole(true)} sx={{ alignSelf: 'flex-start' }}>
                {t('subscriptions.history_all')}
              </Button>
            )}
          </>
        )}
      </QueryState>
    </Stack>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { at, action, by, reason, service, quantity, effectiveAt } = entry;
  const plan =
    service !== null && quantity !== null && quantity !== '1'
      ? `${service} × ${format.number(quantity)}`
      : service;
  const isLater = effectiveAt !== null && effectiveAt.getTime() !== at.getTime();
  // used as: 'subscriptions.by_*'
  const actorName = by.name !== '' ? by.name : t(`subscriptions.by_${by.kind}`);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: '12px minmax(0, 1fr)',
        columnGap: 1.5,
        paddingBottom: 2,
        position: 'relative',
        '&:not(:last-of-type)::before': {
          content: '""',
          position: 'absolute',
          insetInlineStart: '5px',
          top: '16px',
          bottom: '-6px',
          width: '1px',
          bgcolor: 'divider',
        },
      }}
    >
      <Box
        aria-hidden
        sx={{
          width: 9,
          height: 9,
          borderRadius: '50%',
          marginTop: '7px',
          marginInlineStart: '1px',
          border: '2px solid',
          borderColor: by.kind === 'system' ? 'text.disabled' : 'primary.main',
        }}
      />
      <Box sx={{ minWidth: 0 }}>
        {/* used as: 'subscriptions.history_*' */}
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {[
            t(`subscriptions.history_${action}`),
            ...(plan === null ? [] : [plan]),
            ...(isLater && effectiveAt
              ? [t('subscriptions.history_for', { date: format.dateTime(effectiveAt) })]
              : []),
          ].join(' · ')}
        </Typography>
        <Typography variant="caption" color="textSecondary" component="p">
          <time dateTime={at.toISOString()}>{format.dateTimeTable(at)}</time> · {actorName}
        </Typography>
        {reason !== '' && (
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere', marginTop: 0.5 }}>
            {t('subscriptions.history_said', { reason })}
          </Typography>
        )}
      </Box>
    </Box>
  );
}
