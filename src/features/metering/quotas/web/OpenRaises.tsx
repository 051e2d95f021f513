// Open requests for a higher quota: the amount, the reason, the current usage, and approval or rejection in one click.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { AdminRaise } from '../contract.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { WaitingItem, WaitingSection } from '#platform/web/ui/WaitingSection.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { quotasApi, quotasKey, quotasQueries } from './api.ts';

const GrantDialog = lazyComponent(() =>
  import('./AnswerDialogs.tsx').then((module) => module.GrantDialog),
).Component;
const DeclineDialog = lazyComponent(() =>
  import('./AnswerDialogs.tsx').then((module) => module.DeclineDialog),
).Component;

/** Only the first few; the list below has all. */
const shownAtOnce = 20;
type Answering = { readonly answer: 'grant' | 'decline'; readonly raise: AdminRaise };

export function OpenRaises() {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  const [answering, setAnswering] = useState<Answering>();
  const query = useQuery(quotasQueries.adminListRaises({ state: 'open', limit: shownAtOnce }));
  const total = query.data?.total ?? 0;
  const close = () => setAnswering(undefined);
  return (
    <WaitingSection
      title={
        total > 0 ? t('quotas.admin_open_count', { count: format.number(total) }) : t('quotas.admin_open')
      }
      label={t('quotas.admin_open')}
      query={query}
      empty={{ title: t('quotas.admin_empty'), hint: t('quotas.admin_empty_hint') }}
      item={(raise) => (
        <Waiting key={raise.id} raise={raise} onAnswer={(answer) => setAnswering({ answer, raise })} />
      )}
      more={
        total > shownAtOnce &&
        t('quotas.admin_more', { shown: format.number(shownAtOnce), total: format.number(total) })
      }
    >
      {answering && (
        <Suspense fallback={null}>
          {answering.answer === 'grant' ? (
            <GrantDialog raise={answering.raise} onClose={close} />
          ) : (
            <DeclineDialog raise={answering.raise} onClose={close} />
          )}
        </Suspense>
      )}
    </WaitingSection>
  );
}

function Waiting({
  raise,
  onAnswer,
}: {
  raise: AdminRaise;
  onAnswer: (answer: Answering['answer']) => void;
}) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  const { unit, usedNow, limitNow } = raise;
  const params = {
    organization: raise.organization,
    service: raise.serviceName,
    limit: format.quantity(raise.limit, unit),
  };
  const grant = useCall(quotasApi.grantRaise, {
    invalidates: [quotasKey()],
    onSuccess: () => toast.success(t('quotas.granted', params)),
    onError: (error) => void toast.failure(error),
  });
  return (
    <WaitingItem columns={{ xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) auto' }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {[raise.organization, raise.serviceName].join(' · ')}
        </Typography>
        <Typography variant="body2" component="p" className="tabular">
          <strong>{t('quotas.admin_asked', params)}</strong>
          {' · '}
          <Typography component="span" variant="body2" color="textSecondary">
            {limitNow === null
              ? t('quotas.admin_no_limit', { used: format.quantity(usedNow, unit) })
              : t('quotas.admin_used', {
                  used: format.quantity(usedNow),
                  limit: format.quantity(limitNow, unit),
                })}
          </Typography>
        </Typography>
        <Typography variant="body2" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {raise.reason}
        </Typography>
        <Typography variant="caption" component="p" color="textSecondary">
          {raise.askedBy} · <Moment at={raise.askedAt} as="relative" />
        </Typography>
      </Box>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button
          variant="contained"
          size="small"
          loading={grant.isPending}
          aria-label={t('quotas.grant_of', params)}
          onClick={() => grant.mutate({ raiseId: raise.id })}
        >
          {t('quotas.grant')}
        </Button>
        <Button
          aria-haspopup="dialog"
          variant="outlined"
          size="small"
          aria-label={t('quotas.grant_other_of', params)}
          onClick={() => onAnswer('grant')}
        >
          {t('quotas.grant_other')}
        </Button>
        <Button
          aria-haspopup="dialog"
          variant="outlined"
          size="small"
          color="error"
          aria-label={t('quotas.decline_of', params)}
          onClick={() => onAnswer('decline')}
        >
          {t('quotas.decline')}
        </Button>
      </Stack>
    </WaitingItem>
  );
}
