// Whether bills are paid from the balance automatically, and up to which amount; changed in place.
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import type { Automatic } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { paymentsApi, paymentsKey } from './api.ts';

export function AutomaticPayment({ automatic, mayChange }: { automatic: Automatic; mayChange: boolean }) {
  const { t } = useTranslation('payments');
  // Turning it on pays open bills immediately, so bills are also reloaded.
  const change = useCall(paymentsApi.setAutomatic, {
    invalidates: [paymentsKey(), ['billing'], ['console']],
    onSuccess: ({ automatic: now }) =>
      toast.success(t(now.isOn ? 'payments.automatic_on' : 'payments.automatic_off')),
    onError: (error) => toast.error(error.message),
  });
  const now = change.isPending ? change.variables : automatic;
  return (
    <Box
      sx={{
        marginTop: 2,
        paddingTop: 2,
        borderTop: '1px solid',
        borderColor: 'divider',
        display: 'grid',
        gap: 1,
      }}
      data-screen-only
    >
      {mayChange ? (
        <FormControlLabel
          control={
            <Switch
              checked={now.isOn}
              disabled={change.isPending}
              onChange={(_, isOn) => change.mutate({ ...automatic, isOn })}
            />
          }
          label={t('payments.automatic')}
        />
      ) : (
        <Typography variant="body2">
          {t(automatic.isOn ? 'payments.automatic_on' : 'payments.automatic_off')}
        </Typography>
      )}
      <Typography variant="caption" component="p" color="textSecondary">
        {t('payments.automatic_hint')}
      </Typography>
      {mayChange && automatic.isOn && (
        <SelectBox
          label={t('payments.automatic_how')}
          value={now.isPartial ? 'partial' : 'whole'}
          options={[
            { value: 'whole', label: t('payments.automatic_whole') },
            { value: 'partial', label: t('payments.automatic_partial') },
          ]}
          onChange={(mode) => change.mutate({ isOn: true, isPartial: mode === 'partial' })}
          fullWidth
          disabled={change.isPending}
        />
      )}
    </Box>
  );
}
