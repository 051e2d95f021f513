// The explorer's controls: days, service, grouping, grain, comparison, and the export.
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DateRange } from '#platform/web/ui/DateRange.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { In } from '#kernel/contract.ts';
import { grains, type Explored, type insights } from '../contract.ts';
import type { ExplorerSlot } from '#features/metering/usage/web/parts.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { commonUnit } from './explored-chart.ts';
import type { useExplorerView } from './explorer-view.ts';

export type ExploreControlsProps = Pick<ExplorerSlot, 'range' | 'today' | 'onRange' | 'metered'> & {
  readonly view: ReturnType<typeof useExplorerView>;
  readonly explored: Explored | undefined;
  readonly exportInput: Omit<In<typeof insights.exportUsage>, 'format' | 'language'>;
  readonly isRight: boolean;
  /** The properties of the events in the range. */
  readonly properties: readonly string[];
  /** The dimensions of the meters that rate cards charge for. */
  readonly dimensions: readonly string[];
  readonly hasCharges: boolean;
};

export function ExploreControls({
  range,
  today,
  onRange,
  metered,
  view,
  explored,
  exportInput,
  isRight,
  properties: found,
  dimensions,
  hasCharges,
}: ExploreControlsProps) {
  const { t } = useTranslation('insights');
  const { serviceId, groupBy } = view;
  const services = [...new Map(metered.map((each) => [each.serviceId, each.serviceName]))].toSorted(
    ([, a], [, b]) => a.localeCompare(b),
  );
  const named = found.map((name) => `property:${name}`);
  // A chosen property stays in the list even if it does not occur in the range.
  const properties =
    groupBy.startsWith('property:') && !named.includes(groupBy) ? [...named, groupBy] : named;
  const counted = dimensions.map((name) => `dimension:${name}`);
  const cells =
    groupBy.startsWith('dimension:') && !counted.includes(groupBy) ? [...counted, groupBy] : counted;
  const isByCharge = hasCharges || groupBy === 'charge';
  // used as: 'insights.by_*'
  const groupings = [
    ...(['service', ...(isByCharge ? (['charge'] as const) : []), 'tag', 'member', 'apiKey'] as const).map(
      (value) => ({
        value: value as string,
        label: t(`insights.by_${value}`),
      }),
    ),
    ...cells.map((value) => ({
      value,
      label: t('insights.by_dimension', { name: value.slice('dimension:'.length) }),
    })),
    ...properties.map((value) => ({
      value,
      label: t('insights.by_property', { name: value.slice('property:'.length) }),
    })),
  ];
  const unit = explored && commonUnit(explored);
  return (
    <Stack sx={{ gap: 2 }}>
      <DateRange
        value={range}
        today={today}
        onApply={onRange}
        beside={<ExportMenu exportInput={exportInput} disabled={!isRight} />}
      />
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }} data-screen-only>
        <Box sx={{ maxWidth: 320, minWidth: 160, flex: '1 1 200px' }}>
          <SelectBox
            fullWidth
            label={t('insights.service')}
            value={serviceId ?? ''}
            options={[
              { value: '', label: t('insights.all_services') },
              ...services.map(([value, label]) => ({ value, label })),
            ]}
            onChange={view.setService}
          />
        </Box>
        <SelectBox
          label={t('insights.group_by')}
          value={groupBy}
          options={groupings}
          onChange={view.setGroupBy}
        />
        {/* used as: 'insights.grain_*' */}
        <Toggle
          label={t('insights.grain')}
          value={view.grain}
          options={grains.map((value) => [value, t(`insights.grain_${value}`)] as const)}
          onChange={view.setGrain}
        />
        <Toggle
          label={t('insights.measure')}
          value={unit === undefined ? 'cost' : view.measure}
          options={[
            ['cost', t('insights.cost')],
            ['quantity', t('insights.quantity')],
          ]}
          onChange={view.setMeasure}
          {...(unit === undefined && { refused: 'quantity' as const })}
        />
        {explored !== undefined && explored.series.length > 1 && unit === undefined && (
          <Typography variant="body2" color="textSecondary">
            {t('insights.only_cost')}
          </Typography>
        )}
        <FormControlLabel
          control={
            <Switch size="small" checked={view.isCompared} onChange={(_, isOn) => view.setCompared(isOn)} />
          }
          label={t('insights.compare')}
          sx={{ marginInline: 0 }}
        />
      </Stack>
    </Stack>
  );
}

type ToggleProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
  readonly refused?: Value;
};

function Toggle<Value extends string>({ label, value, options, onChange, refused }: ToggleProps<Value>) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={value}
      aria-label={label}
      onChange={(_, next: Value | null) => next && onChange(next)}
    >
      {options.map(([option, text]) => (
        <ToggleButton key={option} value={option} disabled={option === refused && option !== value}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
