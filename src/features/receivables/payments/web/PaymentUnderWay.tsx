// A payment in progress for a bill: the amount, since when, and that the user need not pay again.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { UnderWay } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';

export function PaymentUnderWay({ underWay, onClose }: { underWay: UnderWay; onClose: () => void }) {
  const { t } = useTranslation('payments');
  return (
    <Stack role="status" sx={{ gap: 2 }}>
      <Facts
        items={[
          [t('payments.amount'), <Money key="amount" amount={underWay.amount} strong />],
          [t('payments.under_way_since'), <Moment key="since" at={underWay.since} as="dateTime" />],
        ]}
      />
      <Typography variant="body2" color="textSecondary">
        {t('payments.under_way_hint')}
      </Typography>
      <Stack direction="row" sx={{ justifyContent: 'flex-end', paddingBlock: 1 }}>
        <Button variant="contained" onClick={onClose}>
          {t('ui.close')}
        </Button>
      </Stack>
    </Stack>
  );
}
