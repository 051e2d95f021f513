// What the groups of proposed terms have in common: a title with a button, and a frame for each entry.
import AddOutlined from '~icons/ic/outline-add';
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { withSymbol } from '#kernel/format-money.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import type { ContractFields } from './contract-fields.ts';

export type Part = { readonly form: FormOf<ContractFields, ContractFields> };
export type Entry = Part & { readonly index: number };

/** Two fields side by side. */
export const pair = {
  display: 'grid',
  gap: '8px 16px',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  alignItems: 'start',
} as const;

export function Group({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
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
export function Add({
  label,
  count,
  most,
  onAdd,
}: {
  label: string;
  count: number;
  most: number;
  onAdd: () => void;
}) {
  return (
    <Button size="small" startIcon={<AddOutlined />} disabled={count >= most} onClick={onAdd}>
      {label}
    </Button>
  );
}

export function Entries({ label, children }: { label: string; children: ReactNode }) {
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
  title: string;
  remove: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <Box
      component="li"
      aria-label={title}
      sx={{ bgcolor: 'sunken', borderRadius: '5px', padding: '4px 12px', display: 'grid', gap: 1 }}
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

/** 'NT$', of the currency that is simulated. */
export function useSign({ form }: Part): string {
  const { language } = useFormat();
  return withSymbol('', useWatch({ control: form.control, name: 'currency' }), language);
}
