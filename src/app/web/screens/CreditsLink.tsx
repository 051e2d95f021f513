// The link from the balance to the customer's credits and discounts, which the menu does not list.
import RedeemOutlined from '~icons/ic/outline-redeem';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export function CreditsLink() {
  const { t } = useTranslation('console');
  return (
    <Button component={Link} to="/billing/credits" variant="outlined" startIcon={<RedeemOutlined />}>
      {t('credits_page.title')}
    </Button>
  );
}
