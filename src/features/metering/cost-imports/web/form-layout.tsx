// How the form of a cost source is laid out: groups, pairs of fields, and entries of a list.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { IconAction } from '#platform/web/ui/IconAction.tsx';

export const pairs = {
  display: 'grid',
  gap: '8px 16px',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;
export const whole = { gridColumn: { sm: '1 / -1' } } as const;

export function Group({
  title,
  lead,
  action,
  children,
}: {
  title: string;
  lead?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <Box component="section" aria-labelledby={heading} sx={{ marginBottom: 3 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', marginBottom: 1 }}>
        <Typography id={heading} variant="h3">
          {title}
        </Typography>
        {action}
      </Box>
      {lead !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1.5 }}>
          {lead}
        </Typography>
      )}
      {children}
    </Box>
  );
}

/** One entry of a list, with a button that removes it. */
export function Entry({
  removeLabel,
  onRemove,
  children,
}: {
  removeLabel: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <Box sx={{ backgroundColor: 'sunken', borderRadius: '5px', padding: '12px', marginBottom: 1.5 }}>
      <Box sx={pairs}>{children}</Box>
      <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
        <IconAction size="small" label={removeLabel} onClick={onRemove}>
          <DeleteOutlined fontSize="small" />
        </IconAction>
      </Box>
    </Box>
  );
}
