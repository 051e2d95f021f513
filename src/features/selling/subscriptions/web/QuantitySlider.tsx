// A slider for a quantity: fine steps where prices change, coarse ones elsewhere.
import Box from '@mui/material/Box';
import Slider from '@mui/material/Slider';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { unsignedDecimal } from '#kernel/shape.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { landmarksOf, quantitySteps, stepOf } from './quantity-scale.ts';

export type QuantitySliderProps = {
  readonly service: Service;
  readonly quantity: string;
  /** The cost as text; undefined until the server has responded. */
  readonly amount: string | undefined;
  readonly onChange: (quantity: string) => void;
  readonly label: string;
  /** For one of several on a page: a slider without marks and end labels, with this full name. */
  readonly smallNamed?: string;
};

/** Screen readers announce its value as quantity and money. */
export function QuantitySlider({
  service,
  quantity,
  amount,
  onChange,
  label,
  smallNamed,
}: QuantitySliderProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const id = useId();
  const steps = quantitySteps(service);
  const isSmall = smallNamed !== undefined;
  const { unit } = service.meter;
  const value = unsignedDecimal.safeParse(quantity).success ? stepOf(steps, quantity) : 0;
  const marks = landmarksOf(service).map((landmark) => ({ value: stepOf(steps, landmark) }));
  const valueText = (index: number): string => {
    const quantityText = format.quantity(index === value ? quantity : (steps[index] ?? '0'), unit);
    return index === value && amount !== undefined
      ? t('subscriptions.estimate_spoken', { quantity: quantityText, amount })
      : quantityText;
  };
  return (
    <Box sx={{ paddingInline: '10px' }}>
      <Typography
        id={id}
        variant={isSmall ? 'caption' : 'body2'}
        aria-hidden={isSmall}
        component="p"
        color="textSecondary"
        sx={{ marginInline: '-10px' }}
      >
        {label}
      </Typography>
      <Slider
        value={value}
        min={0}
        max={steps.length - 1}
        step={1}
        {...(isSmall ? { size: 'small' as const } : { marks })}
        {...(isSmall ? { 'aria-label': smallNamed } : { 'aria-labelledby': id })}
        getAriaValueText={valueText}
        onChange={(_, next) => onChange(steps[Array.isArray(next) ? (next[0] ?? 0) : next] ?? '0')}
        sx={{ '@media (pointer: coarse)': { paddingBlock: '21px' } }}
      />
      {!isSmall && (
        <Stack
          direction="row"
          aria-hidden
          sx={{ justifyContent: 'space-between', marginInline: '-10px', marginTop: '-6px' }}
        >
          <Typography variant="caption" color="textSecondary">
            0
          </Typography>
          <Typography variant="caption" color="textSecondary">
            {format.quantity(steps.at(-1) ?? '0', unit)}
          </Typography>
        </Stack>
      )}
    </Box>
  );
}
