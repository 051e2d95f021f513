// The support address, if the operator has set one. Its text is built in, so that it can be shown when no
// texts could be loaded.
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { useBrand } from '../shell/brand.ts';
import { useLanguage } from '../i18n/i18n.ts';

export function ContactLine() {
  const address = useBrand((brand) => brand.supportEmail);
  const texts = connectionTextsOf(useLanguage());
  if (address === '') return null;
  return (
    <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
      {texts['connection.contact']}
      <Link href={`mailto:${address}`} sx={{ overflowWrap: 'anywhere' }}>
        {address}
      </Link>
    </Typography>
  );
}
