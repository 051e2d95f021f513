// One entry of a list in the form of a cost source.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { IconAction } from '#platform/web/ui/IconAction.tsx';

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
