// Components of the quote form: groups, lists of entries that can be added and removed, and names in both
// languages.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { withSymbol } from '#kernel/format-money.ts';
import { AddEntry, EntryFrame, EntryGroup, EntryList } from '#platform/web/form/EntryList.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxEntries } from '../contract-content.ts';
import type { QuoteFields } from './quote-fields.ts';

export type QuoteFormOf = FormOf<QuoteFields, QuoteFields>;
export type Part = { readonly form: QuoteFormOf };

/** A group with a list of entries. */
export function Entries({
  title,
  add,
  ids,
  onAdd,
  onRemove,
  children,
}: {
  title: string;
  add: string;
  /** The keys of the entries, for React. */
  ids: readonly string[];
  onAdd: () => void;
  onRemove: (index: number) => void;
  children: (index: number) => ReactNode;
}) {
  const { t } = useTranslation('quotes');
  return (
    <EntryGroup
      title={title}
      action={<AddEntry label={add} count={ids.length} most={maxEntries} onAdd={onAdd} />}
    >
      {ids.length > 0 && (
        <EntryList label={title}>
          {ids.map((id, index) => {
            const name = t('quotes.entry', { title, number: index + 1 });
            return (
              <EntryFrame
                key={id}
                title={name}
                remove={t('quotes.remove_entry', { name })}
                onRemove={() => onRemove(index)}
              >
                {children(index)}
              </EntryFrame>
            );
          })}
        </EntryList>
      )}
    </EntryGroup>
  );
}

type NamedList = 'oneOffs' | 'discounts' | 'grants' | 'commitments';

/** The text shown on the bill, in both languages. */
export function NameFields({ form, list, index }: Part & { list: NamedList; index: number }) {
  const { t } = useTranslation('quotes');
  return (
    <Box sx={pairs}>
      <TextField
        form={form}
        name={`content.${list}.${index}.name.zhTW`}
        label={t('quotes.name_zhTW')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name={`content.${list}.${index}.name.enUS`}
        label={t('quotes.name_enUS')}
        autoComplete="off"
        required
      />
    </Box>
  );
}

/** The quote's services that a term applies to. */
export function ItemChoice({
  form,
  name,
  all,
}: Part & {
  name: `content.${'oneOffs' | 'discounts'}.${number}.serviceId`;
  /** The text for choosing no specific one. */
  all: string;
}) {
  const { t } = useTranslation('quotes');
  const items = useWatch({ control: form.control, name: 'content.items' });
  return (
    <SelectField
      form={form}
      name={name}
      label={t('quotes.of_service')}
      options={[
        { value: '', label: all },
        ...items.flatMap(({ serviceId }) =>
          serviceId ? [{ value: serviceId.id, label: serviceId.name }] : [],
        ),
      ]}
    />
  );
}

/** The symbol of the quote's currency, such as 'NT$'. */
export function useSign({ form }: Part): string {
  const { language } = useFormat();
  return withSymbol('', useWatch({ control: form.control, name: 'currency' }), language);
}
