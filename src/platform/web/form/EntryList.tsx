// Lists of entries within a form: a title with an add button, and a frame for each entry with a remove
// button.
import AddOutlined from '~icons/ic/outline-add';
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { IconAction } from '../ui/IconAction.tsx';

export function EntryGroup({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}) {
  const heading = useId();
  return (
    <Box
      component="section"
      aria-labelledby={heading}
      sx={{ display: 'grid', gap: 1.5, borderTop: '1px solid', borderColor: 'divider', paddingTop: 1.5 }}
    >
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography id={heading} variant="subtitle2" component="h3">
          {title}
        </Typography>
        {action}
      </Stack>
      {children}
    </Box>
  );
}

/**
 * The button that adds an entry to a list with a maximum length. A disabled button shows the reason;
 * `refused` is a reason other than the maximum.
 */
export function AddEntry({
  label,
  count,
  most,
  refused,
  isBelow = false,
  variant = 'text',
  onAdd,
}: {
  readonly label: string;
  readonly count: number;
  readonly most: number;
  readonly refused?: string | undefined;
  /** Below the list instead of beside its title. */
  readonly isBelow?: boolean;
  readonly variant?: 'text' | 'outlined';
  readonly onAdd: () => void;
}) {
  const { t } = useTranslation('platform');
  const reason = refused ?? (count >= most ? t('form.most_entries', { most }) : undefined);
  const reasonId = useId();
  return (
    <Stack
      sx={{
        flexShrink: 0,
        ...(isBelow ? { alignItems: 'flex-start' } : { alignItems: 'flex-end', maxWidth: '60%' }),
      }}
    >
      <Button
        size={variant === 'text' ? 'small' : 'medium'}
        variant={variant}
        startIcon={<AddOutlined />}
        sx={{ flexShrink: 0 }}
        disabled={reason !== undefined}
        aria-describedby={reason === undefined ? undefined : reasonId}
        onClick={onAdd}
      >
        {label}
      </Button>
      {reason !== undefined && (
        <Typography
          id={reasonId}
          variant="caption"
          component="p"
          color="textSecondary"
          sx={{ textAlign: isBelow ? 'start' : 'end' }}
        >
          {reason}
        </Typography>
      )}
    </Stack>
  );
}

export function EntryList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Box
      component="ol"
      aria-label={label}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1.5 }}
    >
      {children}
    </Box>
  );
}

export function EntryFrame({
  title,
  remove,
  onRemove,
  children,
}: {
  readonly title: string;
  /** The accessible name of the remove button. */
  readonly remove: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Box
      component="li"
      aria-label={title}
      sx={{ bgcolor: 'sunken', borderRadius: '5px', padding: '4px 12px 8px', display: 'grid', gap: 1.5 }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <Typography variant="body2" sx={{ fontWeight: 700 }}>
          {title}
        </Typography>
        <IconAction size="small" label={remove} onClick={onRemove} sx={{ marginInlineEnd: '-8px' }}>
          <DeleteOutlined fontSize="small" />
        </IconAction>
      </Stack>
      {children}
    </Box>
  );
}
