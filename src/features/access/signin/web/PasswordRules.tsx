// The rules for a new password, ticked off while typing, as far as the browser can check them.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import RadioButtonUncheckedOutlined from '~icons/ic/outline-radio-button-unchecked';
import Box from '@mui/material/Box';
import { isPasswordLongEnough } from '#features/access/identity/rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';

export function PasswordRules({ password, minimum }: { password: string; minimum: number }) {
  const { t } = useTranslation('signin');
  const isLong = isPasswordLongEnough(password, minimum);
  return (
    <Box
      component="ul"
      aria-label={t('signin.rules')}
      sx={{
        listStyle: 'none',
        margin: '-4px 0 4px',
        padding: '0 14px',
        display: 'grid',
        gap: 0.5,
        typography: 'caption',
        color: 'text.secondary',
        '& li': { display: 'flex', gap: 1, alignItems: 'flex-start' },
        '& svg': { fontSize: 16, marginTop: '2px', flexShrink: 0 },
      }}
    >
      <Box component="li" sx={isLong ? { color: 'success.main' } : {}}>
        {isLong ? <CheckCircleOutlined aria-hidden /> : <RadioButtonUncheckedOutlined aria-hidden />}
        <span>
          {t('signin.password_help', { minimum })}
          {isLong && <VisuallyHidden>{t('signin.rule_kept')}</VisuallyHidden>}
        </span>
      </Box>
      <li>
        <RadioButtonUncheckedOutlined aria-hidden />
        <span>{t('signin.rule_common')}</span>
      </li>
    </Box>
  );
}
