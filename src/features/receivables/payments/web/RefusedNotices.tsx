// Provider events that could not be applied, with the reason: open ones first, handled ones on request.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { RefusedNotice } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { paymentsQueries } from './api.ts';
import { SettleRefused } from './SettleRefused.tsx';

/**
 * The newest ones; providers resend an event for days, which increases its count without creating a new one.
 */
const shownAtOnce = 10;
/** The dashboard links here. */
const anchor = 'refused-events';

export function RefusedNotices() {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const [isDoneShown, setIsDoneShown] = useState(false);
  const [settling, setSettling] = useState<RefusedNotice>();
  const { data: open } = useQuery(paymentsQueries.adminListRefused({ standing: 'open', limit: shownAtOnce }));
  const { data: done } = useQuery(paymentsQueries.adminListRefused({ standing: 'done', limit: shownAtOnce }));
  const isThere = open !== undefined && done !== undefined && open.total + done.total > 0;
  const place = useScrollToAnchor(isThere);
  if (!isThere) return null;
  return (
    <Box ref={place} id={anchor} tabIndex={-1} sx={{ scrollMarginTop: '88px', outline: 'none' }}>
      <Section
        title={
          open.total > 0
            ? t('payments.refused_count', { count: format.number(open.total) })
            : t('payments.refused')
        }
        lead={open.total > 0 ? t('payments.refused_lead') : t('payments.refused_none')}
        flush
      >
        {open.total > 0 && <Notices label={t('payments.refused')} page={open} onSettle={setSettling} />}
        {done.total > 0 && (
          <Box
            sx={{
              padding: { xs: '8px 16px', sm: '8px 24px' },
              borderTop: '1px solid',
              borderColor: 'divider',
            }}
          >
            <Button
              size="small"
              aria-expanded={isDoneShown}
              onClick={() => setIsDoneShown(!isDoneShown)}
              sx={{ marginInlineStart: '-10px' }}
            >
              {isDoneShown
                ? t('payments.refused_hide_done')
                : t('payments.refused_show_done', { count: format.number(done.total) })}
            </Button>
          </Box>
        )}
        {isDoneShown && done.total > 0 && <Notices label={t('payments.refused_done')} page={done} />}
      </Section>
      {settling && <SettleRefused refused={settling} onClose={() => setSettling(undefined)} />}
    </Box>
  );
}

/** Scrolls to this part of the page once it is rendered, for users who followed a link to it. */
function useScrollToAnchor(isThere: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  useEffect(() => {
    if (!isThere || hash !== `#${anchor}`) return;
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView();
  }, [isThere, hash, key]);
  return place;
}

type NoticesProps = {
  readonly label: string;
  readonly page: { readonly items: readonly RefusedNotice[]; readonly total: number | null };
  readonly onSettle?: (refused: RefusedNotice) => void;
};

function Notices({ label, page: { items, total }, onSettle }: NoticesProps) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  return (
    <>
      <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {items.map((refused) => (
          <OneRefused key={`${refused.provider} ${refused.eventId}`} refused={refused} onSettle={onSettle} />
        ))}
      </Box>
      {total !== null && total > shownAtOnce && (
        <Typography
          variant="caption"
          component="p"
          color="textSecondary"
          sx={{ padding: { xs: '8px 16px', sm: '8px 24px' } }}
        >
          {t('payments.pending_more', { shown: format.number(shownAtOnce), total: format.number(total) })}
        </Typography>
      )}
    </>
  );
}

function OneRefused({ refused, onSettle }: { refused: RefusedNotice; onSettle: NoticesProps['onSettle'] }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const [, open] = useParam('payment');
  const { about, amount, organization, paymentId, settledAt, settledBy, settleNote: note } = refused;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        columnGap: '24px',
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) auto 240px' },
        gridTemplateAreas: {
          xs: '"name side" "words words" "actions actions"',
          md: '"name side actions" "words side actions"',
        },
        rowGap: { xs: '2px', md: 0 },
        padding: { xs: '12px 16px', sm: '12px 24px' },
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      {/* used as: 'payments.refused_about_*' */}
      <Typography variant="subtitle1" component="p" sx={{ gridArea: 'name', overflowWrap: 'anywhere' }}>
        {t(`payments.refused_about_${about ?? 'unknown'}`)}
        {organization !== null && ` · ${organization}`}
      </Typography>
      <Box sx={{ gridArea: 'words', minWidth: 0 }}>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {refused.reason}
        </Typography>
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          <Moment at={refused.lastAt} as="dateTime" /> · {t(`payments.method_${refused.provider}`)} ·{' '}
          {refused.eventId}
          {refused.times > 1 && ` · ${t('payments.refused_times', { count: format.number(refused.times) })}`}
        </Typography>
        {settledAt && (
          <Typography
            variant="body2"
            color="textSecondary"
            sx={{ overflowWrap: 'anywhere', marginTop: '4px' }}
          >
            <Moment at={settledAt} as="dateTime" /> ·{' '}
            {settledBy === null
              ? t('payments.refused_settled_gone', { note })
              : t('payments.refused_settled_by', { person: settledBy, note })}
          </Typography>
        )}
      </Box>
      <Stack sx={{ gridArea: 'side', gap: '4px', alignItems: 'flex-end' }}>
        {amount && <Money amount={amount} strong />}
        <Standing refused={refused} />
      </Stack>
      <Stack
        direction="row"
        sx={{
          gap: 1,
          flexWrap: 'wrap',
          justifyContent: { xs: 'flex-start', md: 'flex-end' },
          gridArea: 'actions',
          marginTop: { xs: '6px', md: 0 },
        }}
      >
        {paymentId !== null && (
          <Button
            variant="outlined"
            size="small"
            aria-label={t('payments.refused_look_of', { organization: organization ?? '' })}
            onClick={() => open(paymentId)}
          >
            {t('payments.refused_look')}
          </Button>
        )}
        {onSettle && (
          <Button
            variant="outlined"
            size="small"
            aria-haspopup="dialog"
            aria-label={t('payments.refused_settle_of', { event: refused.eventId })}
            onClick={() => onSettle(refused)}
          >
            {t('payments.refused_settle')}
          </Button>
        )}
      </Stack>
    </Box>
  );
}

/** Open events need no badge, because they are in the list of open ones. */
function Standing({ refused: { settledAt, isApplied } }: { refused: RefusedNotice }) {
  const { t } = useTranslation('payments');
  if (isApplied) return <StatusBadge tone="neutral" label={t('payments.refused_applied')} />;
  return settledAt && <StatusBadge tone="success" label={t('payments.refused_settled')} />;
}
