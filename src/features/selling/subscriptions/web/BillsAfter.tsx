// The base fees on the next two bills after an action, shown before it is confirmed.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { FeePreview, Subscription } from '../contract.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Block } from '#platform/web/ui/QueryState.tsx';
import { hasFees } from './CostEstimate.tsx';
import { FeeMonth } from './FeeMonth.tsx';

type BillsAfterProps = {
  readonly preview: UseQueryResult<FeePreview>;
  readonly service: Pick<Subscription['service'], 'pricing' | 'billingCycle'>;
  /** Whether the action ends or interrupts the fees: then no more than one of the two bills has them. */
  readonly isEnding?: boolean;
};

/** In pixels: two bills without fees, and what a bill is higher with one. */
const [emptyHeight, feeHeight] = [178, 55] as const;

/**
 * Shows instead why the action would be refused, unless a field of the dialog shows it. Keeps the room that it
 * has once taken: what stands below it is about to be clicked.
 */
export function BillsAfter({ preview, service, isEnding = false }: BillsAfterProps) {
  const room = useRef<HTMLDivElement>(null);
  const { pricing, billingCycle } = service;
  const bills = isEnding || billingCycle === 'yearly' ? 1 : 2;
  const [least, setLeast] = useState(emptyHeight + (hasFees(pricing) ? bills * feeHeight : 0));
  useLayoutEffect(() => {
    const height = room.current?.offsetHeight ?? 0;
    if (height > least) setLeast(height);
  }, [preview, least]);
  return (
    <Box ref={room} sx={{ minHeight: least }}>
      <Shown preview={preview} height={least} />
    </Box>
  );
}

function Shown({ preview, height }: Pick<BillsAfterProps, 'preview'> & { readonly height: number }) {
  const { t } = useTranslation('subscriptions');
  if (preview.error instanceof ApiError && preview.error.errors.length > 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('subscriptions.preview_waits')}
      </Typography>
    );
  if (preview.error) return <Alert severity="error">{preview.error.message}</Alert>;
  if (!preview.data) return <Block height={height} />;
  const isStale = preview.isPlaceholderData;
  return (
    <Stack
      component="section"
      aria-label={t('subscriptions.preview')}
      aria-busy={isStale}
      sx={{ gap: 2, opacity: isStale ? 0.6 : 1 }}
    >
      <FeeMonth fees={preview.data.thisBill} />
      <FeeMonth fees={preview.data.nextBill} />
      <Typography variant="caption" color="textSecondary">
        {t('subscriptions.preview_besides')}
      </Typography>
    </Stack>
  );
}
