// Parts that all sections of a connector's form are made of.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import type { Connector } from '../contract.ts';
import type { ConnectorFields } from './connector-fields.ts';

export type Part = {
  readonly form: FormOf<ConnectorFields, ConnectorFields>;
  readonly connector: Connector | undefined;
};

export const pairs = {
  display: 'grid',
  gap: '8px 16px',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;
export const whole = { gridColumn: { sm: '1 / -1' } } as const;

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
    <Box component="section" aria-labelledby={heading} sx={{ marginBottom: 3 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', marginBottom: 1.5 }}>
        <Typography id={heading} variant="h3">
          {title}
        </Typography>
        {action}
      </Box>
      {children}
    </Box>
  );
}
