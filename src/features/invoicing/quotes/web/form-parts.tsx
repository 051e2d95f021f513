// Parts of the form of a quote: groups, lists of entries that can be added and removed, and names in both languages.
import AddOutlined from '~icons/ic/outline-add';
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { withSymbol } from '#kernel/format-money.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { maxEntries } from '../contract-content.ts';
import type { QuoteFields } from './quote-fields.ts';

export type QuoteFormOf = FormOf<QuoteFields, QuoteFields>;
export type Part = { readonly form: QuoteFormOf };

export const pair = {
  display: 'grid',
  gap: '8px 16px',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;

export function Group({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children?: ReactNode;
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
  /** Of the entries, for React. */
  ids: readonly string[];
  onAdd: () => void;
  onRemove: (index: number) => void;
  children: (index: number) => ReactNode;
}) {
  const { t } = useTranslation('quotes');
  return (
    <Group
      title={title}
      action={
        <Button size="small" startIcon={<AddOutlined />} disabled={ids.length >= maxEntries} onClick={onAdd}>
          {add}
        </Button>
      }
    >
      {ids.length > 0 && (
        <Box
          component="ol"
          aria-label={title}
          sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1.5 }}
        >
          {ids.map((id, index) => {
            const name = t('quotes.entry', { title, number: index + 1 });
            return (
              <Box
                component="li"
                key={id}
                aria-label={name}
                sx={{
                  bgcolor: 'sunken',
                  borderRadius: '5px',
                  padding: '4px 12px 8px',
                  display: 'grid',
                  gap: 1.5,
                }}
              >
                <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
                  <Typography variant="body2" sx={{ fontWeight: 700 }}>
                    {name}
                  </Typography>
                  <IconAction
                    size="small"
                    label={t('quotes.remove_entry', { name })}
                    onClick={() => onRemove(index)}
                    sx={{ marginInlineEnd: '-8px' }}
                  >
                    <DeleteOutlined fontSize="small" />
                  </IconAction>
                </Stack>
                {children(index)}
              </Box>
            );
          })}
        </Box>
      )}
    </Group>
  );
}

type NamedList = 'oneOffs' | 'discounts' | 'grants' | 'commitments';

/** What stands on the bill, in both languages. */
export function NameFields({ form, list, index }: Part & { list: NamedList; index: number }) {
  const { t } = useTranslation('quotes');
  return (
    <Box sx={pair}>
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

/** Which of the quote's services a term is for. */
export function ItemChoice({
  form,
  name,
  all,
}: Part & {
  name: `content.${'oneOffs' | 'discounts'}.${number}.serviceId`;
  /** What none in particular means. */
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

/** 'NT$', of the quote's currency. */
export function useSign({ form }: Part): string {
  const { language } = useFormat();
  return withSymbol('', useWatch({ control: form.control, name: 'currency' }), language);
}
