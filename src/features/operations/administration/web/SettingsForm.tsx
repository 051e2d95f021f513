// One section of the settings: a form that is saved separately, with changed fields marked.
import Box from '@mui/material/Box';
import { useId, type ReactNode } from 'react';
import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Settings } from '../contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Form } from '#platform/web/form/Form.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { administrationApi, administrationKey } from './api.ts';
import { askStatusAgain } from './status.ts';

type Schema = z.ZodMiniType<unknown, FieldValues>;
/** The text below a field: its help, or its old value after a change. */
export type Mark<In extends FieldValues> = (name: FieldPath<In>, help?: string) => ReactNode;

export type SettingsFormProps<S extends Schema> = {
  readonly title: string;
  readonly lead: string;
  readonly schema: S;
  readonly values: z.input<S>;
  /** Converts the form values to the call's input. */
  readonly changeOf: (values: z.output<S>) => Partial<Settings>;
  /** The stored settings as form values. */
  readonly valuesOf: (settings: Settings) => z.input<S>;
  readonly children: (form: FormOf<z.input<S>, z.output<S>>, mark: Mark<z.input<S>>) => ReactNode;
};

export function SettingsForm<S extends Schema>({
  title,
  lead,
  schema,
  values,
  changeOf,
  valuesOf,
  children,
}: SettingsFormProps<S>) {
  const { t } = useTranslation('administration');
  const marks = useId();
  // The values are the schema's complete input: every field has one.
  const form = useZodForm(schema, values as DefaultValues<z.input<S>>);
  const save = useCall(administrationApi.updateSettings, {
    invalidates: [administrationKey('getSettings'), administrationKey('settingsHistory')],
  });
  const submit = async (typed: z.output<S>) => {
    form.reset(valuesOf(await save.mutateAsync(changeOf(typed))));
    // The console's name and currency are shown on other screens too.
    void askStatusAgain();
    toast.success(t('administration.settings_saved', { section: title }));
  };
  const { dirtyFields, defaultValues } = form.formState;
  const mark: Mark<z.input<S>> = (name, help) => {
    const isChanged = (dirtyFields as Readonly<Record<string, unknown>>)[name] === true;
    if (!isChanged) return help;
    const before: unknown = (defaultValues as Readonly<Record<string, unknown>> | undefined)?.[name];
    return (
      <Box component="span" id={`${marks}-${name}`} sx={{ color: 'warning.main' }}>
        {t('administration.setting_changed', {
          before: typeof before === 'string' && before !== '' ? before : t('administration.setting_empty'),
        })}
      </Box>
    );
  };
  return (
    <Section title={title} lead={lead}>
      <Form form={form} onSubmit={submit} label={title}>
        <Box sx={pairs}>{children(form, mark)}</Box>
        <UnsavedBar form={form} />
      </Form>
    </Section>
  );
}
