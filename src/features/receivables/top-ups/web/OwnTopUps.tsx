// Automatic top-ups, shown below the balance: the settings, how much of the month's cap is used, and why they
// stopped.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { menuRole } from '#kernel/roles.ts';
import type { Currency } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { atCommas } from '#platform/web/ui/line-breaks.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { AutomaticTopUp } from '../contract.ts';
import { topupsApi, topupsKey, topupsQueries } from './api.ts';

/** The form is only loaded when it is opened. */
const TopUpForm = lazyComponent(() =>
  import('./AutomaticTopUpDialog.tsx').then((module) => module.AutomaticTopUpDialog),
).Component;

export function OwnTopUps() {
  const { t } = useTranslation('topups');
  const query = useQuery(topupsQueries.automaticTopUps());
  useLive('bills', [topupsKey()]);
  const mayChange = useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');
  const [editing, setEditing] = useState<AutomaticTopUp | 'new'>();
  const { data } = query;
  // Without a provider that stores cards there is nothing to manage.
  if (!data || (!data.isOffered && data.items.every((each) => !each.isOn))) return null;
  const on = data.items.filter((each) => each.isOn);
  const open = data.currencies.filter((each) => !on.some(({ currency }) => currency === each));
  return (
    <Box
      component="section"
      aria-label={t('topups.title')}
      sx={{
        marginTop: 2,
        paddingTop: 2,
        borderTop: '1px solid',
        borderColor: 'divider',
        display: 'grid',
        gap: 1.5,
      }}
      data-screen-only
    >
      <Stack direction="row" useFlexGap sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography variant="subtitle2" component="h3">
          {t('topups.title')}
        </Typography>
        {on.length === 0 && <StatusBadge tone="neutral" label={t('topups.is_off')} />}
        {/* One alone has its state beside the title. */}
        {on.length === 1 && on.map((each) => <ItemState key={each.currency} each={each} />)}
      </Stack>
      {on.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {t(data.card ? 'topups.none' : 'topups.needs_card')}
        </Typography>
      )}
      {on.map((each) => (
        <TopUpItem
          key={each.currency}
          each={each}
          isAlone={on.length === 1}
          mayChange={mayChange}
          onEdit={() => setEditing(each)}
        />
      ))}
      {mayChange && data.card && open.length > 0 && (
        <Box>
          <Button size="small" variant="outlined" aria-haspopup="dialog" onClick={() => setEditing('new')}>
            {t('topups.set_up')}
          </Button>
        </Box>
      )}
      {editing && (
        <Suspense fallback={null}>
          <TopUpForm
            found={data}
            setting={editing === 'new' ? undefined : editing}
            currencies={editing === 'new' ? open : [editing.currency]}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </Box>
  );
}

function ItemState({ each }: { each: AutomaticTopUp }) {
  const { t } = useTranslation('topups');
  return (
    <StatusBadge
      tone={each.stopped === null ? 'success' : 'warning'}
      label={t(each.stopped === null ? 'topups.is_on' : 'topups.stopped_badge')}
    />
  );
}

function TopUpItem({
  each,
  isAlone,
  mayChange,
  onEdit,
}: {
  each: AutomaticTopUp;
  isAlone: boolean;
  mayChange: boolean;
  onEdit: () => void;
}) {
  const { t } = useTranslation('topups');
  const format = useFormat();
  const [ending, setEnding] = useState<Currency>();
  const end = useCall(topupsApi.endAutomaticTopUp, {
    invalidates: [topupsKey()],
    onSuccess: () => toast.success(t('topups.ended')),
  });
  return (
    <Stack sx={{ gap: 1 }}>
      {!isAlone && (
        <Box>
          <ItemState each={each} />
        </Box>
      )}
      <Typography variant="body2" sx={atCommas}>
        {t('topups.terms', {
          threshold: format.money(each.threshold),
          amount: format.money(each.amount),
        })}
      </Typography>
      <Typography variant="caption" component="p" color="textSecondary" className="tabular">
        {t('topups.used', { used: format.money(each.usedThisMonth), cap: format.money(each.monthlyCap) })}
      </Typography>
      {each.isUnderWay && (
        <Typography variant="body2" role="status">
          {t('topups.under_way')}
        </Typography>
      )}
      {each.stopped !== null ? (
        // used as: 'topups.stopped_*'
        <Alert severity="warning">{t(`topups.stopped_${each.stopped}`)}</Alert>
      ) : (
        each.isCapped && (
          <Typography variant="caption" component="p" color="textSecondary">
            {t('topups.capped')}
          </Typography>
        )
      )}
      {mayChange && (
        <Stack direction="row" useFlexGap sx={{ gap: 1, flexWrap: 'wrap' }}>
          <Button size="small" variant="outlined" aria-haspopup="dialog" onClick={onEdit}>
            {t('topups.change')}
          </Button>
          <Button size="small" aria-haspopup="dialog" onClick={() => setEnding(each.currency)}>
            {t('topups.end_confirm')}
          </Button>
        </Stack>
      )}
      <ConfirmDialog
        open={ending !== undefined}
        title={t('topups.end_title')}
        consequences={[t('topups.end_text')]}
        confirmLabel={t('topups.end_confirm')}
        onConfirm={() => end.mutateAsync({ currency: each.currency })}
        onClose={() => setEnding(undefined)}
      />
    </Stack>
  );
}
