// The promo code of a new subscription: its terms, and its effect on the estimate beside it.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { EstimateInput, Service } from '#features/selling/catalogue/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { CheckedCode } from '../contract.ts';
import { discountsQueries } from './api.ts';
import { AppliedCode } from './AppliedCode.tsx';
import { CodeInput } from './CodeInput.tsx';

export type PromoCodeProps = {
  readonly serviceId: Service['id'];
  /** The input of the estimate beside it; undefined while there is no estimate. */
  readonly estimate: EstimateInput | undefined;
  /** Receives the accepted code, or undefined if it was removed. */
  readonly onApply: (code: string | undefined) => void;
};

export function PromoCode({ serviceId, estimate, onApply }: PromoCodeProps) {
  const [checked, setChecked] = useState<CheckedCode>();
  const take = (next: CheckedCode | undefined) => {
    setChecked(next);
    onApply(next?.code);
  };
  return checked === undefined ? (
    <CodeInput serviceId={serviceId} onChecked={take} />
  ) : (
    <AppliedCode checked={checked} onRemove={() => take(undefined)}>
      {estimate && <Reduced code={checked.code} serviceId={serviceId} estimate={estimate} />}
    </AppliedCode>
  );
}

function Reduced({
  code,
  serviceId,
  estimate,
}: {
  code: string;
  serviceId: Service['id'];
  estimate: EstimateInput;
}) {
  const { t } = useTranslation('discounts');
  const format = useFormat();
  const query = usePagedQuery(discountsQueries.checkCode({ code, serviceId, estimate }));
  const reduced = query.data?.estimate;
  // Errors of the estimate are shown beside the estimate itself.
  if (!reduced || query.error) return null;
  const { before, after, saved } = reduced;
  const isElsewhere = saved.minor !== before.minor - after.minor;
  return (
    <Box
      aria-busy={query.isPlaceholderData}
      sx={{ opacity: query.isPlaceholderData ? 0.6 : 1, marginTop: 1 }}
    >
      <Box
        component="dl"
        className="tabular"
        sx={{
          display: 'grid',
          gridTemplateColumns: 'auto auto',
          justifyContent: 'start',
          gap: '2px 24px',
          margin: 0,
          typography: 'body2',
        }}
      >
        <Box component="dt" sx={{ color: 'text.secondary' }}>
          {t('discounts.estimate_before')}
        </Box>
        <Box component="dd" sx={{ margin: 0, textAlign: 'end', color: 'text.secondary' }}>
          {before.minor === after.minor ? format.money(before) : <s>{format.money(before)}</s>}
        </Box>
        <Box component="dt">{t('discounts.estimate_after')}</Box>
        <Box component="dd" sx={{ margin: 0, textAlign: 'end', fontWeight: 700 }}>
          {format.money(after)}
        </Box>
      </Box>
      <Typography variant="caption" component="p" color="textSecondary" sx={{ marginTop: '4px' }}>
        {format.sentences(
          t(saved.minor === 0n ? 'discounts.estimate_same' : 'discounts.estimate_note'),
          isElsewhere && t('discounts.estimate_saved', { amount: format.money(saved) }),
        )}
      </Typography>
    </Box>
  );
}
