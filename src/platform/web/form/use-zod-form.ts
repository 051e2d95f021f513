// Forms that a contract's schema checks: on leaving a field, then while typing, and all at once on sending.
import { useEffect } from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { ApiError } from '../api-error.ts';
import { draftKey, takeDraft, watchForm } from './drafts.ts';
import { checkValues } from './check-values.ts';
import { finished, type Problem } from './problems.ts';

/** A form whose fields hold `In` (what stands in the inputs) and which sends `Sent` (what the contract takes). */
export type FormOf<In extends FieldValues, Sent> = UseFormReturn<In, unknown, Sent>;
/** What ties an input to its field of a form. */
export type InForm<In extends FieldValues, Sent> = {
  readonly form: FormOf<In, Sent>;
  readonly name: FieldPath<In>;
};

/** `const form = useZodForm(schema, { email: '', password: '' })` */
export function useZodForm<S extends z.ZodMiniType<unknown, FieldValues>>(
  schema: S,
  defaults: DefaultValues<z.input<S>>,
): FormOf<z.input<S>, z.output<S>> {
  const form = useForm<z.input<S>, unknown, z.output<S>>({
    defaultValues: defaults,
    mode: 'onTouched',
    reValidateMode: 'onChange',
    resolver: resolverOf(schema),
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

function resolverOf<S extends z.ZodMiniType<unknown, FieldValues>>(
  schema: S,
): Resolver<z.input<S>, unknown, z.output<S>> {
  return (values) => {
    const result = checkValues(schema, values);
    if (result.ok) return { values: result.data, errors: {} };
    return { values: {}, errors: nested(result.problems) as FieldErrors<z.input<S>> };
  };
}

/** 'basic.name' → { basic: { name: … } }: the form of errors that react-hook-form reads. */
function nested(problems: ReadonlyMap<string, Problem>): Record<string, unknown> {
  const errors: Record<string, unknown> = {};
  for (const [path, message] of problems) {
    const steps = path.split('.');
    let place = errors;
    for (const step of steps.slice(0, -1)) place = (place[step] ??= {}) as Record<string, unknown>;
    place[steps.at(-1) ?? ''] = { type: 'schema', message };
  }
  return errors;
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
