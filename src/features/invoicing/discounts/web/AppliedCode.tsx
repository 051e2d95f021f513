// An accepted promo code: its terms, and a button that removes it.
import { inLanguage } from '#kernel/language.ts';
import CloseOutlined from '~icons/ic/outline-close';
import LocalOfferOutlined from '~icons/ic/outline-local-offer';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import type { CheckedCode } from '../contract.ts';
import { useTermsWords } from './terms-words.ts';

export function AppliedCode({
  checked,
  onRemove,
  children,
}: {
  checked: CheckedCode;
  onRemove: () => void;
  /** Shown below the terms. */
  children?: ReactNode;
}) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const words = useTermsWords();
  return (
    <Box
      role="status"
      sx={{
        display: 'grid',
        gridTemplateColumns: '24px minmax(0, 1fr) auto',
        gap: '4px 12px',
        alignItems: 'start',
        padding: '12px 8px 12px 16px',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
        bgcolor: 'background.paper',
      }}
    >
      <Box aria-hidden sx={{ color: 'success.main', display: 'flex', marginTop: '1px' }}>
        <LocalOfferOutlined />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {inLanguage(checked.name, language)}
        </Typography>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {words({ ...checked }).full}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {t('discounts.applied', { code: checked.code })}
        </Typography>
      </Box>
      <IconAction size="small" label={t('discounts.remove')} onClick={onRemove} sx={{ marginTop: '-4px' }}>
        <CloseOutlined fontSize="small" />
      </IconAction>
      {children !== undefined && <Box sx={{ gridColumn: '2 / -1', minWidth: 0 }}>{children}</Box>}
    </Box>
  );
}
