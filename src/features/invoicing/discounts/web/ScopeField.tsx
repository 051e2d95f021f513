// The services that a discount is for, and which charges of services with several.
import { inLanguage } from '#kernel/language.ts';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxScopeServices } from '../contract.ts';
import { ChosenRows } from './ChosenRows.tsx';
import type { ChosenScope } from './discount-fields.ts';

const shown = 20;

const toChosen = ({ id, name, pricing }: Pick<Service, 'id' | 'name' | 'pricing'>): ChosenScope => ({
  id,
  name,
  // Lines of a price without charges do not belong to a charge.
  charges:
    pricing.model === 'rate_card'
      ? pricing.charges.map((charge) => ({ key: charge.key, name: charge.name }))
      : [],
  keys: null,
});

export function ScopeField({
  value,
  onChange,
}: {
  value: readonly ChosenScope[];
  onChange: (value: readonly ChosenScope[]) => void;
}) {
  const { t } = useTranslation('discounts');
  return (
    <div>
      <ChosenRows
        label={t('discounts.part_scope')}
        rows={value.map((chosen) => ({
          id: chosen.id,
          name: chosen.name,
          removeLabel: t('discounts.scope_remove', { service: chosen.name }),
          onRemove: () => onChange(value.filter(({ id }) => id !== chosen.id)),
          more: chosen.charges.length > 1 && (
            <Charges
              chosen={chosen}
              onChange={(keys) =>
                onChange(value.map((each) => (each.id === chosen.id ? { ...each, keys } : each)))
              }
            />
          ),
        }))}
      />
      {value.length < maxScopeServices && (
        // After a choice the field is reset.
        <AddService
          key={value.length}
          chosen={value.map(({ id }) => id)}
          onAdd={(service) => onChange([...value, toChosen(service)])}
        />
      )}
    </div>
  );
}

function AddService({ chosen, onAdd }: { chosen: readonly string[]; onAdd: (service: Service) => void }) {
  const { t } = useTranslation('discounts');
  const { search, onType } = useSearchText(undefined);
  const found = usePagedQuery(
    catalogueQueries.adminListServices({ limit: shown, ...(search !== '' && { q: search }) }),
  );
  return (
    <SearchPicker<Service>
      label={t('discounts.scope_add')}
      value={null}
      options={found.data?.items.filter(({ id }) => !chosen.includes(id)) ?? []}
      onChange={(service) => service && onAdd(service)}
      onType={onType}
      isLoading={found.isFetching}
      none={t('discounts.scope_none')}
      help={t('discounts.scope_help')}
    />
  );
}

function Charges({
  chosen: { name, charges, keys },
  onChange,
}: {
  chosen: ChosenScope;
  onChange: (keys: readonly string[] | null) => void;
}) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const toggle = (key: string, isOn: boolean): void => {
    const next = charges
      .map((charge) => charge.key)
      .filter((each) => (each === key ? isOn : keys?.includes(each)));
    // Without any charge it would reduce nothing.
    onChange(next.length === 0 ? null : next);
  };
  const tick = (label: string, isOn: boolean, onTick: (isOn: boolean) => void, key: string) => (
    <FormControlLabel
      key={key}
      control={<Checkbox size="small" checked={isOn} onChange={(_, next) => onTick(next)} />}
      label={label}
      slotProps={{ typography: { variant: 'body2' } }}
      // "All" is a separate choice above the single ones.
      {...(key === '*' && { sx: { width: '100%', marginInlineEnd: 0 } })}
    />
  );
  return (
    <Stack
      role="group"
      aria-label={t('discounts.scope_charges', { service: name })}
      direction="row"
      sx={{ flexWrap: 'wrap' }}
    >
      {tick(
        t('discounts.scope_every_charge'),
        keys === null,
        (isOn) => onChange(isOn ? null : charges.slice(0, 1).map(({ key }) => key)),
        '*',
      )}
      {keys !== null &&
        charges.map((charge) =>
          tick(
            inLanguage(charge.name, language),
            keys.includes(charge.key),
            (isOn) => toggle(charge.key, isOn),
            charge.key,
          ),
        )}
    </Stack>
  );
}
