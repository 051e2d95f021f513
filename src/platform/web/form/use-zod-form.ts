// Forms validated by a contract's schema: a field when the user leaves it, then while typing; all fields on
// submit.
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import {
  useController,
  useForm,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { asError } from '#kernel/errors.ts';
import { ApiError } from '../api/api-error.ts';
import { draftKey, takeDraft, watchForm } from './drafts.ts';
import { finished } from './problems.ts';
import { problemOf } from './schema-problems.ts';

/** A form whose inputs hold `In` and which submits `Sent` (the input of the contract's route). */
export type FormOf<In extends FieldValues, Sent> = UseFormReturn<In, unknown, Sent>;
/** Connects an input to its field of a form. */
export type InForm<In extends FieldValues, Sent> = {
  readonly form: FormOf<In, Sent>;
  readonly name: FieldPath<In>;
};

/**
 * `const form = useZodForm(schema, { email: '', password: '' })`; `mode` determines when a field is first
 * validated.
 */
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

/** The props of a text or select input from its form field. */
export function useTextInForm<In extends FieldValues, Sent>({ form, name }: InForm<In, Sent>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const { name: own, value, onChange, onBlur, ref: inputRef } = field;
  return {
    input: { name: own, value: value ?? '', onChange, onBlur, inputRef },
    problem: fieldState.error?.message,
  };
}

/** Restores the input from before the session expired, and saves it when the session expires. */
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

/** Shows the server's field errors at their fields; returns the sentence for the whole form. */
export function showError<In extends FieldValues, Sent>(form: FormOf<In, Sent>, error: unknown): string {
  if (!(error instanceof ApiError)) return asError(error).message;
  for (const { field, message } of error.errors) {
    // A form may edit a part of the input: `admin.password` is its `password`. An error of a field that it
    // does not have is shown only in the sentence for the whole form.
    const own = [field, field.split('.').at(-1) ?? ''].find(
      (name) => (name.split('.')[0] ?? '') in form.getValues(),
    );
    if (own !== undefined)
      form.setError(own as FieldPath<In>, { type: 'server', message: finished(message) });
  }
  return error.message;
}
