// Forms that a contract's schema checks: on leaving a field, then while typing, and all at once on sending.
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { ApiError } from '../api/api-error.ts';
import { draftKey, takeDraft, watchForm } from './drafts.ts';
import { finished } from './problems.ts';
import { problemOf } from './schema-problems.ts';

/** A form whose fields hold `In` (what stands in the inputs) and which sends `Sent` (what the contract takes). */
export type FormOf<In extends FieldValues, Sent> = UseFormReturn<In, unknown, Sent>;
/** What ties an input to its field of a form. */
export type InForm<In extends FieldValues, Sent> = {
  readonly form: FormOf<In, Sent>;
  readonly name: FieldPath<In>;
};

/** `const form = useZodForm(schema, { email: '', password: '' })`; `mode` says when a field is checked for the first time. */
export function useZodForm<S extends z.ZodMiniType<unknown, FieldValues>>(
  schema: S,
  defaults: DefaultValues<z.input<S>>,
  mode: UseFormProps['mode'] = 'onTouched',
): FormOf<z.input<S>, z.output<S>> {
  const form = useForm<z.input<S>, unknown, z.output<S>>({
    defaultValues: defaults,
    mode,
    reValidateMode: 'onChange',
    resolver: zodResolver(schema, { error: problemOf }),
  });
  useDraft(form);
  return form;
}

/** Brings back what was typed before a session ended, and has it kept when one ends. */
function useDraft<In extends FieldValues, Sent>(form: FormOf<In, Sent>): void {
  useEffect(() => {
    const key = draftKey(location.pathname, Object.keys(form.getValues()));
    const draft = takeDraft(key);
    if (draft) form.reset({ ...form.getValues(), ...draft } as In, { keepDefaultValues: true });
    return watchForm({
      key,
      values: () => form.getValues(),
      isDirty: () => JSON.stringify(form.getValues()) !== JSON.stringify(form.formState.defaultValues),
    });
  }, [form]);
}

/** Puts a refusal's field errors at their fields; returns the sentence for the whole form. */
export function showRefusal<In extends FieldValues, Sent>(form: FormOf<In, Sent>, error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  for (const { field, message } of error.errors) {
    // Only fields of this form are named; others are covered by the sentence for the whole.
    if ((field.split('.')[0] ?? '') in form.getValues())
      form.setError(field as FieldPath<In>, { type: 'server', message: finished(message) });
  }
  return error.message;
}
