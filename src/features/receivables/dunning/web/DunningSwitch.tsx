// Whether dunning is on, and a switch, which can only be turned on after viewing a rehearsal.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Dunning } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { dunningApi, dunningKey } from './api.ts';
import { RehearsalDialog } from './RehearsalDialog.tsx';

export function DunningSwitch({ dunning: { isOn, switchedOnAt, plan, held } }: { dunning: Dunning }) {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  const [asking, setAsking] = useState<'on' | 'off'>();
  const close = () => setAsking(undefined);
  const switchDunning = useCall(dunningApi.switchDunning, {
    invalidates: [dunningKey()],
    onSuccess: ({ isOn: isNow }) => toast.success(t(isNow ? 'dunning.switched_on' : 'dunning.switched_off')),
  });
  return (
    <Section
      actions={
        <>
          <StatusBadge tone={isOn ? 'success' : 'neutral'} label={t(isOn ? 'dunning.on' : 'dunning.off')} />
          {isOn ? (
            <Button aria-haspopup="dialog" variant="outlined" onClick={() => setAsking('off')}>
              {t('dunning.switch_off')}
            </Button>
          ) : (
            <Button variant="contained" aria-haspopup="dialog" onClick={() => setAsking('on')}>
              {t('dunning.switch_on')}
            </Button>
          )}
        </>
      }
    >
      <Typography variant="body2">
        <NoWrap
          text={
            isOn && switchedOnAt
              ? t('dunning.on_since', { date: format.dateTime(switchedOnAt) })
              : t('dunning.off_hint')
          }
        />
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {t('dunning.held_now', {
          pastDue: format.number(held.pastDue),
          suspended: format.number(held.suspended),
        })}
      </Typography>
      {asking === 'on' && (
        <RehearsalDialog
          plan={plan}
          confirm={{
            label: t('dunning.confirm_on'),
            act: (rehearsalId) => switchDunning.mutateAsync({ isOn: true, rehearsalId }),
          }}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={asking === 'off'}
        title={t('dunning.switch_off_title')}
        confirmLabel={t('dunning.switch_off')}
        onConfirm={() => switchDunning.mutateAsync({ isOn: false })}
        onClose={close}
      >
        {t('dunning.switch_off_text')}
      </ConfirmDialog>
    </Section>
  );
}
