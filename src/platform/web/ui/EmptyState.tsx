// Shown where there is no data: the reason, and the one thing to do about it. Never a bare "no data".
import InboxOutlined from '~icons/ic/outline-inbox';
import SearchOffOutlined from '~icons/ic/outline-search-off';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { Words } from './NoWrap.tsx';

export type EmptyStateProps = {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly icon?: ReactNode;
  /** One button. */
  readonly action?: ReactNode;
  readonly compact?: boolean;
};

/** First use: nothing is here yet, and how the first one is created. */
export function EmptyState({ title, hint, icon, action, compact = false }: EmptyStateProps) {
  return (
    <Box
      // The page may have a button of the same name at its top.
      role="group"
      aria-label={title}
      sx={{
        display: 'grid',
        justifyItems: 'center',
        // As tall as a card that stretches beside a taller one.
        alignContent: 'center',
        minHeight: '100%',
        textAlign: 'center',
        gap: 1,
        padding: compact ? '24px 16px' : '48px 16px',
      }}
    >
      <Box
        aria-hidden
        sx={{
          display: 'grid',
          placeItems: 'center',
          width: 56,
          height: 56,
          borderRadius: '50%',
          bgcolor: 'sunken',
          color: 'text.secondary',
          '& svg': { fontSize: 28 },
        }}
      >
        {icon ?? <InboxOutlined />}
      </Box>
      <Typography variant="h3" component="p">
        {title}
      </Typography>
      {hint !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 440, textWrap: 'balance' }}>
          <Words>{hint}</Words>
        </Typography>
      )}
      {action !== undefined && <Box sx={{ marginTop: 1 }}>{action}</Box>}
    </Box>
  );
}

/** For a search or filter without matches. */
export function NoMatch({ onClear }: { onClear?: () => void }) {
  const { t } = useTranslation('platform');
  return (
    <EmptyState
      title={t('empty.no_match')}
      hint={t('empty.no_match_hint')}
      icon={<SearchOffOutlined />}
      action={
        onClear && (
          <Button variant="outlined" onClick={onClear}>
            {t('ui.clear_all')}
          </Button>
        )
      }
    />
  );
}
