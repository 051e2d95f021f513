// The tiers of a price: each starts where the previous one ends, and the last one has no end.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFieldArray, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { unsignedDecimal } from '#kernel/shape.ts';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { PercentField, TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { emptyTier } from './charge-fields.ts';
import type { ServiceForm } from './service-form.ts';

const most = 100;

type TiersProps = {
  readonly form: ServiceForm;
  /** The tiers of the single price, or of a charge. */
  readonly name: 'tiers' | `charges.${number}.tiers`;
  /** Whether a tier has a share of the amount instead of a unit price. */
  readonly isPercent?: boolean;
};

export function TierEditor({ form, name, isPercent = false }: TiersProps) {
  const { t } = useTranslation('catalogue');
  const { fields, insert, remove } = useFieldArray({ control: form.control, name });
  const last = fields.length - 1;
  return (
    <Box
      component="fieldset"
      sx={{
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
        margin: 0,
        padding: 2,
        minWidth: 0,
      }}
    >
      <Typography component="legend" variant="subtitle2" sx={{ paddingInline: '6px' }}>
        {t('catalogue.tiers')}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1 }}>
        {fields.map((field, index) => (
          <Tier
            key={field.id}
            form={form}
            name={name}
            isPercent={isPercent}
            index={index}
            isLast={index === last}
            onRemove={fields.length > 1 && index !== last ? () => remove(index) : undefined}
          />
        ))}
      </Box>
      {/* Inserted before the open-ended one, so that the last tier stays last. */}
      <AddEntry
        isBelow
        label={t('catalogue.tier_add')}
        count={fields.length}
        most={most}
        onAdd={() => insert(last, emptyTier)}
      />
    </Box>
  );
}

function Tier({
  form,
  name,
  isPercent,
  index,
  isLast,
  onRemove,
}: Required<TiersProps> & {
  index: number;
  isLast: boolean;
  onRemove: (() => void) | undefined;
}) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const currency = useWatch({ control: form.control, name: 'currency' });
  const before = useWatch({ control: form.control, name: `${name}.${Math.max(index - 1, 0)}.upTo` });
  const from = index === 0 ? '0' : before;
  const shownFrom = z.safeParse(unsignedDecimal, from).success ? format.number(from) : '…';
  return (
    <Box
      component="li"
      aria-label={t('catalogue.tier', { number: index + 1 })}
      sx={{
        display: 'grid',
        gap: '8px 12px',
        alignItems: 'start',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr) minmax(0, 1fr) 44px',
          sm: '96px minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr) 36px',
        },
      }}
    >
      <Typography
        variant="body2"
        color="textSecondary"
        className="tabular"
        sx={{ alignSelf: 'start', paddingTop: { sm: '9px' }, gridColumn: { xs: '1 / -1', sm: 'auto' } }}
      >
        {t('catalogue.tier_from', { from: shownFrom })}
      </Typography>
      {isLast ? (
        <Typography variant="body2" color="textSecondary" sx={{ paddingTop: '9px' }}>
          {t('catalogue.tier_open')}
        </Typography>
      ) : (
        <TextField
          form={form}
          name={`${name}.${index}.upTo`}
          label={t('catalogue.tier_up_to')}
          inputMode="decimal"
          required
        />
      )}
      {isPercent ? (
        <PercentField
          form={form}
          name={`${name}.${index}.ratePercent`}
          label={t('catalogue.charge_rate')}
          required
        />
      ) : (
        <TextField
          form={form}
          name={`${name}.${index}.unitPrice`}
          label={t('catalogue.unit_price')}
          inputMode="decimal"
          start={currency}
          required
        />
      )}
      <Box sx={{ gridColumn: { xs: '1 / 3', sm: 'auto' } }}>
        <TextField
          form={form}
          name={`${name}.${index}.flatFee`}
          label={t('catalogue.tier_flat_fee')}
          inputMode="decimal"
          start={currency}
        />
      </Box>
      {onRemove ? (
        <IconAction label={t('catalogue.tier_remove', { number: index + 1 })} onClick={onRemove}>
          <DeleteOutlined />
        </IconAction>
      ) : (
        <span />
      )}
    </Box>
  );
}
