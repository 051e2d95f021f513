// Copies a text and confirms it.
import CheckOutlined from '~icons/ic/outline-check';
import ContentCopyOutlined from '~icons/ic/outline-content-copy';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { toast } from '../toasts/toasts.ts';
import { copyText } from './copy-text.ts';
import { Hint } from './Hint.tsx';
import { VisuallyHidden } from './VisuallyHidden.tsx';

/**
 * `label` names what is copied: "Copy the bill number". `inText`: for text of several lines, whose line
 * height it must not change.
 */
export function CopyButton({
  text,
  label,
  inText = false,
}: {
  text: string;
  label?: string;
  inText?: boolean;
}) {
  const { t } = useTranslation('platform');
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    copyText(text).then(
      () => setIsCopied(true),
      () => toast.error(t('ui.copy_failed')),
    );
  };
  const name = label ?? t('ui.copy');
  return (
    <Hint text={isCopied ? t('ui.copied') : name}>
      <IconButton
        size="small"
        {...(inText && { sx: { marginBlock: '-12px' } })}
        aria-label={name}
        onClick={copy}
        onBlur={() => setIsCopied(false)}
        onMouseLeave={() => setIsCopied(false)}
        data-screen-only
      >
        {isCopied ? <CheckOutlined sx={{ fontSize: 16 }} /> : <ContentCopyOutlined sx={{ fontSize: 16 }} />}
        <VisuallyHidden live>{isCopied ? t('ui.copied') : ''}</VisuallyHidden>
      </IconButton>
    </Hint>
  );
}
