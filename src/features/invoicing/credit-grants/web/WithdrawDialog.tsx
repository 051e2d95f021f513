// Withdraws a grant: the reason, and exactly what happens to the money.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { money } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { CreditGrantDetail } from '../contract.ts';
import { creditgrantsApi, creditgrantsKey } from './api.ts';

export function WithdrawDialog({ grant, onClose }: { grant: CreditGrantDetail; onClose: () => void }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const name = inLanguage(grant.name, format.language);
  const withdraw = useCall(creditgrantsApi.withdrawGrant, {
    invalidates: [creditgrantsKey()],
    onSuccess: () => toast.success(t('creditgrants.withdrawn', { name })),
  });
  // Everything that is left, including for earlier months whose bills are not issued yet.
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
    <ReasonDialog
      title={t('creditgrants.withdraw_title', { name })}
      confirm={t('creditgrants.withdraw')}
      color="error"
      width="sm"
      lead={
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
      }
      field={{ label: t('creditgrants.reason'), help: t('creditgrants.reason_help'), max: 500 }}
      onReason={(reason) => withdraw.mutateAsync({ grantId: grant.id, reason })}
      onClose={onClose}
    />
  );
}
