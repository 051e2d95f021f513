// One-offs that await approval, oldest first; renders nothing while there are none.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { OneOff } from '../contract.ts';
import { oneOffsQueries } from './api.ts';
import type { Deciding } from './DecisionDialogs.tsx';

/** Only the first few; the list below has all. */
const shownAtOnce = 20;
type WaitingProps = {
  readonly onOpen: (id: Id<'ooc'>) => void;
  readonly onDecide: (deciding: Deciding) => void;
};

export function AwaitingOneOffs(props: WaitingProps) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  const { data } = useQuery(
    oneOffsQueries.listOneOffs({ state: 'awaiting_approval', sort: 'createdAt', limit: shownAtOnce }),
  );
  if (!data || data.items.length === 0) return null;
  const total = format.number(data.total);
  return (
    <Section title={t('oneoffs.awaiting_count', { total })} lead={t('oneoffs.awaiting_lead')} flush>
      <Box
        component="ul"
        aria-label={t('oneoffs.awaiting')}
        sx={{ listStyle: 'none', margin: 0, padding: 0 }}
      >
        {data.items.map((oneOff) => (
          <Waiting key={oneOff.id} oneOff={oneOff} {...props} />
        ))}
      </Box>
      {data.total > shownAtOnce && (
        <Typography variant="caption" component="p" color="textSecondary" sx={{ padding: '8px 24px' }}>
          {t('oneoffs.awaiting_more', { shown: format.number(shownAtOnce), total })}
        </Typography>
      )}
    </Section>
  );
}

function Waiting({ oneOff, onOpen, onDecide }: WaitingProps & { oneOff: OneOff }) {
  const { t } = useTranslation('oneoffs');
  const language = useLanguage();
  const format = useFormat();
  const isOwn = useAuthStore((auth) => auth.user?.id) === oneOff.createdBy.id;
  const name = inLanguage(oneOff.name, language);
  const params = { name, amount: format.money(oneOff.amount) };
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: '8px 24px',
        alignItems: 'center',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) auto auto' },
        padding: { xs: '12px 16px', sm: '12px 24px' },
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Link
          aria-haspopup="dialog"
          component="button"
          type="button"
          variant="subtitle1"
          underline="hover"
          onClick={() => onOpen(oneOff.id)}
          sx={{ textAlign: 'start', overflowWrap: 'anywhere' }}
        >
          {name}
        </Link>
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {oneOff.organization} · {oneOff.createdBy.name} · <Moment at={oneOff.createdAt} as="relative" />
        </Typography>
      </Box>
      <Typography variant="subtitle1" component="p">
        <Money amount={oneOff.amount} strong />
      </Typography>
      <Stack
        direction="row"
        sx={{ gap: 1, gridColumn: { xs: '1 / -1', sm: 'auto' }, alignItems: 'center', flexWrap: 'wrap' }}
      >
        {isOwn ? (
          <>
            <Typography variant="caption" color="textSecondary">
              {t('oneoffs.own_waits')}
            </Typography>
            <Button
              aria-haspopup="dialog"
              variant="outlined"
              size="small"
              aria-label={t('oneoffs.withdraw_of', params)}
              onClick={() => onDecide({ step: 'withdraw', oneOff })}
            >
              {t('oneoffs.withdraw')}
            </Button>
          </>
        ) : (
          <>
            <Button
              aria-haspopup="dialog"
              variant="contained"
              size="small"
              aria-label={t('oneoffs.approve_of', params)}
              onClick={() => onDecide({ step: 'approve', oneOff })}
            >
              {t('oneoffs.approve')}
            </Button>
            <Button
              aria-haspopup="dialog"
              variant="outlined"
              size="small"
              color="error"
              aria-label={t('oneoffs.reject_of', params)}
              onClick={() => onDecide({ step: 'reject', oneOff })}
            >
              {t('oneoffs.reject')}
            </Button>
          </>
        )}
      </Stack>
    </Box>
  );
}
