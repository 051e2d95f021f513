// The charges of a service in its form: they can be added, copied, moved, removed, or started from a
// template.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useFieldArray, useFormState, useWatch } from 'react-hook-form';
import { currencyCodes } from '#kernel/money.ts';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { textsInEach, useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { maxCharges } from '#features/selling/rating/contract.ts';
import { copyOf, emptyCharge, freeKey, type ChargeFields } from './charge-fields.ts';
import { cardOfTemplate, type ChargeTemplate } from './charge-templates.ts';
import type { Pricing } from '../contract.ts';
import { CardCalculator } from './CardCalculator.tsx';
import { ChargeCard, headId } from './ChargeCard.tsx';
import { withMetersThere } from './known-meters.ts';
import { PlannedMeters } from './PlannedMeters.tsx';
import { pricingOf, type ServiceFields } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';
import { TemplateChoice } from './TemplateChoice.tsx';

export type ChargesEditorProps = {
  readonly form: ServiceForm;
  /** Whether the currency is fixed, since later prices of a service keep its currency. */
  readonly fixedCurrency?: boolean;
  /**
   * False if only the price is agreed on: then the terms are the service's, and templates create no meters.
   */
  readonly withTerms?: boolean;
  /** False if the calculator is shown elsewhere. */
  readonly withCalculator?: boolean;
  /** Rendered below the estimate with the typed price, once it is complete. */
  readonly below?: (pricing: Pricing) => ReactNode;
};

export function ChargesEditor({
  form,
  fixedCurrency = false,
  withTerms = true,
  withCalculator = true,
  below,
}: ChargesEditorProps) {
  const { t } = useTranslation('catalogue');
  const fields = useWatch({ control: form.control }) as ServiceFields;
  const { currency } = fields;
  const pricing = pricingOf(fields);
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ ...pairs, maxWidth: { sm: '50%' }, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {fixedCurrency ? (
          <Typography variant="body2" color="textSecondary">
            {t('catalogue.currency_line', { currency })}
          </Typography>
        ) : (
          <SelectField
            form={form}
            name="currency"
            label={t('catalogue.currency')}
            options={currencyCodes.map((one) => ({ value: one, label: one }))}
          />
        )}
      </Box>
      <ChargeList form={form} hasTemplates={withTerms} />
      {withTerms && <PlannedMeters form={form} />}
      <Box sx={{ ...pairs, marginTop: 2 }}>
        <TextField
          form={form}
          name="minimum"
          label={t('catalogue.card_minimum')}
          help={t('catalogue.minimum_help')}
          inputMode="decimal"
          autoComplete="off"
          start={currency}
        />
        <TextField
          form={form}
          name="maximum"
          label={t('catalogue.card_maximum')}
          help={t('catalogue.maximum_help')}
          inputMode="decimal"
          autoComplete="off"
          start={currency}
        />
        {withTerms && (
          <TextField
            form={form}
            name="trialDays"
            label={t('catalogue.trial_days')}
            inputMode="numeric"
            autoComplete="off"
            end={t('catalogue.days')}
            help={t('catalogue.trial_help')}
          />
        )}
      </Box>
      {withCalculator && <CardCalculator form={form} />}
      {pricing && below?.(pricing)}
    </Box>
  );
}

/** What the list announces after a change, and what is focused then. */
type Moved = { readonly announcement: string; readonly focus: string };

function ChargeList({ form, hasTemplates }: { form: ServiceForm; hasTemplates: boolean }) {
  const { t } = useTranslation('catalogue');
  const language = useLanguage();
  const { fields, append, insert, remove, swap, replace } = useFieldArray({
    control: form.control,
    name: 'charges',
    keyName: 'row',
  });
  const { errors, submitCount } = useFormState({ control: form.control });
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set());
  const [moved, setMoved] = useState<Moved>();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (moved === undefined) return;
    const wanted = document.getElementById(moved.focus);
    if (wanted && !wanted.hasAttribute('disabled')) wanted.focus();
  }, [moved]);
  const firstWrong = fields.findIndex((_, index) => errors.charges?.[index] !== undefined);
  const isElsewhere = Object.keys(errors).some((name) => name !== 'charges' && name !== 'root');
  const focusedFor = useRef(0);
  // The form itself focuses a field that is already rendered; the fields of a closed card are only rendered
  // now. Once per attempt to save, so that an error that appears while the user continues typing does not
  // move the focus.
  useEffect(() => {
    if (submitCount === focusedFor.current) return;
    focusedFor.current = submitCount;
    if (firstWrong < 0 || isElsewhere) return;
    list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount, firstWrong, isElsewhere]);
  const nameOf = (charge: ChargeFields, index: number): string =>
    inLanguage(charge.name, language) ||
    charge.name.enUS ||
    charge.name.zhTW ||
    t('catalogue.charge_unnamed', { number: index + 1 });
  const now = (): readonly ChargeFields[] => form.getValues('charges');
  const show = (uid: string, isShown: boolean): void =>
    setOpen((before) => new Set(isShown ? [...before, uid] : [...before].filter((each) => each !== uid)));
  const addCharge = (charge: ChargeFields, at = fields.length): void => {
    insert(at, charge, { shouldFocus: false });
    show(charge.uid, true);
    setMoved({ announcement: t('catalogue.charge_added', { number: at + 1 }), focus: headId(charge.uid) });
  };
  const move = (index: number, by: -1 | 1): void => {
    const charge = now()[index];
    if (!charge || index + by < 0 || index + by >= fields.length) return;
    const focused = document.activeElement?.id ?? '';
    swap(index, index + by);
    setMoved({
      announcement: t('catalogue.charge_moved', { name: nameOf(charge, index), number: index + by + 1 }),
      focus: focused,
    });
  };
  const begin = async (template: ChargeTemplate): Promise<void> => {
    const textsOf = await textsInEach('catalogue');
    const sketched = cardOfTemplate(template, form.getValues('currency'), language, textsOf);
    // Existing meters are looked up again on saving, so a template also works without this response.
    const { charges, meters } = await withMetersThere(sketched).catch(() => sketched);
    const planned = form.getValues('newMeters');
    form.setValue('newMeters', [
      ...planned,
      ...meters.filter(({ key }) => !planned.some((each) => each.key === key)),
    ]);
    const taken = now().map(({ key }) => key);
    const added = charges.map((charge) => {
      const key = freeKey(charge.key, taken);
      taken.push(key);
      return { ...charge, key };
    });
    if (fields.length === 0) replace(added);
    else append(added, { shouldFocus: false });
    const [first] = added;
    if (first)
      setMoved({
        announcement: t('catalogue.charges_from_template', { count: added.length }),
        focus: headId(first.uid),
      });
  };
  const problem = useProblemText(
    t('catalogue.charges'),
    errors.charges?.root?.message ?? (errors.charges as { message?: string } | undefined)?.message,
  );
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {hasTemplates && fields.length === 0 && <TemplateChoice onChoose={begin} />}
      <Box
        component="ol"
        ref={list}
        aria-label={t('catalogue.charges')}
        sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1.5 }}
      >
        {fields.map((charge, index) => (
          <ChargeCard
            key={charge.uid}
            form={form}
            index={index}
            uid={charge.uid}
            isFirst={index === 0}
            isLast={index === fields.length - 1}
            isOpen={open.has(charge.uid) || (submitCount > 0 && errors.charges?.[index] !== undefined)}
            onToggle={(isShown) => show(charge.uid, isShown)}
            onMove={(by) => move(index, by)}
            onCopy={() => {
              const original = now()[index];
              if (original)
                addCharge(
                  copyOf(
                    original,
                    now().map(({ key }) => key),
                  ),
                  index + 1,
                );
            }}
            onRemove={() => {
              const gone = now()[index];
              const next = now()[index + 1] ?? now()[index - 1];
              remove(index);
              if (gone)
                setMoved({
                  announcement: t('catalogue.charge_removed', { name: nameOf(gone, index) }),
                  focus: next ? headId(next.uid) : '',
                });
            }}
          />
        ))}
      </Box>
      {problem !== undefined && <FormHelperText error>{problem}</FormHelperText>}
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <AddEntry
          isBelow
          variant="outlined"
          label={t('catalogue.charge_add')}
          count={fields.length}
          most={maxCharges}
          onAdd={() => addCharge(emptyCharge())}
        />
        {hasTemplates && fields.length > 0 && <TemplateChoice isMenu onChoose={begin} />}
      </Stack>
      <VisuallyHidden live>{moved?.announcement}</VisuallyHidden>
    </Box>
  );
}
