// Withdraws a grant: why, and exactly what happens to the money.
import { inLanguage } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { money } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import type { CreditGrantDetail } from '../contract.ts';
import { creditgrantsApi, creditgrantsKey } from './api.ts';

export function WithdrawDialog({ grant, onClose }: { grant: CreditGrantDetail; onClose: () => void }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const [reason, setReason] = useState('');
  const name = inLanguage(grant.name, format.language);
  const withdraw = useCall(creditgrantsApi.withdrawGrant, {
    invalidates: [creditgrantsKey()],
    onSuccess: () => {
      toast.success(t('creditgrants.withdrawn', { name }));
      onClose();
    },
  });
  const isBusy = withdraw.isPending;
  // All that is left, also of earlier months whose bills are not issued yet.
  const rest = grant.movements.at(-1)?.after ?? money(0n, grant.amount.currency);
  const params = { amount: format.money(rest), organization: grant.organization };
  const consequences = [
    ...(rest.minor > 0n
      ? [t(grant.kind === 'paid' ? 'creditgrants.rest_to_balance' : 'creditgrants.rest_ends', params)]
      : []),
    ...(grant.recurring ? [t('creditgrants.not_renewed')] : []),
    ...(grant.used.minor > 0n ? [t('creditgrants.used_stays', { amount: format.money(grant.used) })] : []),
    t('creditgrants.members_told'),
  ];
  return (
    <Modal
      open
      title={t('creditgrants.withdraw_title', { name })}
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            {t('ui.cancel')}
          </Button>
          <Button
            variant="contained"
            color="error"
            loading={isBusy}
            disabled={reason.trim() === ''}
            onClick={() => withdraw.mutate({ grantId: grant.id, reason: reason.trim() })}
          >
            {t('creditgrants.withdraw')}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 1.5, paddingTop: '6px' }}>
        {withdraw.error && <Alert severity="error">{withdraw.error.message}</Alert>}
        <Box>
          <Typography variant="subtitle2" component="p">
            {t('confirm.consequences')}
          </Typography>
          <Box
            component="ul"
            sx={{ margin: 0, paddingInlineStart: '20px', fontSize: '0.875rem', lineHeight: 1.7 }}
          >
            {consequences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </Box>
        </Box>
        <TextBox
          name="reason"
          label={t('creditgrants.reason')}
          help={t('creditgrants.reason_help')}
          value={reason}
          onChange={setReason}
          rows={2}
          required
        />
      </Stack>
    </Modal>
  );
}
