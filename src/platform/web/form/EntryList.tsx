// Lists of entries within a form: a title with the button that adds one, and a frame for each with the button that takes it away.
import AddOutlined from '~icons/ic/outline-add';
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
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

/** The button that adds an entry to a list of at most so many. */
export function AddEntry({
  label,
  count,
  most,
  onAdd,
}: {
  readonly label: string;
  readonly count: number;
  readonly most: number;
  readonly onAdd: () => void;
}) {
  return (
    <Button size="small" startIcon={<AddOutlined />} disabled={count >= most} onClick={onAdd}>
      {label}
    </Button>
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
  /** Names the button that takes it away. */
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
