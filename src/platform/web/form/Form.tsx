// A form: its error at the top and its fields below one another; validates them with its schema, submits the
// result, and shows the server's errors.
import Box from '@mui/material/Box';
import Button, { type ButtonProps } from '@mui/material/Button';
import { startTransition, use, useEffect, useReducer, useRef, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { isWaiting } from '../api/waiting.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { LeaveForm } from '../ui/open-dialogs.ts';
import { FormError } from './FormError.tsx';
import { showError, type FormOf } from './use-zod-form.ts';

export type FormProps<In extends FieldValues, Sent> = {
  readonly form: FormOf<In, Sent>;
  /**
   * Rejects when the call failed; the form then shows the error and keeps every value. When the call awaits
   * an approval, a dialog or panel closes, and a form on a page shows the stored values again; a separate
   * notice tells the user about the approval.
   */
  readonly onSubmit: (values: Sent) => Promise<unknown>;
  /** For a form that edits something stored: called instead of `onSubmit` when nothing was changed. */
  readonly onUnchanged?: (() => void) | undefined;
  /** For buttons outside the form: {@link SubmitButton} with `formId`. */
  readonly id?: string;
  /** The form's accessible name, if no heading names it. */
  readonly label?: string;
  /** Whether a message above the fields also reports that some are invalid. */
  readonly hasSummary?: boolean;
  readonly children: ReactNode;
};

export function Form<In extends FieldValues, Sent>({
  form,
  onSubmit,
  onUnchanged,
  id,
  label,
  hasSummary = true,
  children,
}: FormProps<In, Sent>) {
  const { t } = useTranslation('platform');
  const leave = use(LeaveForm);
  const isShown = useShown();
  const { isDirty } = form.formState;
  const setFormError = (message: string): void => form.setError('root', { message });
  const submit = form.handleSubmit(
    async (values) => {
      try {
        await onSubmit(values);
        await isShown();
      } catch (error) {
        if (!isWaiting(error)) return setFormError(showError(form, error));
        form.reset();
        leave?.();
      }
    },
    () => {
      if (hasSummary) setFormError(t('form.check'));
    },
  );
  return (
    <Box
      component="form"
      id={id}
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        if (isDirty || !onUnchanged) return void submit(event);
        event.preventDefault();
        onUnchanged();
      }}
      sx={{ display: 'flex', flexDirection: 'column', gap: 1.5 }}
    >
      <FormError sentence={form.formState.errors.root?.message} />
      {children}
    </Box>
  );
}

/**
 * Resolves once the page shows what has changed so far, or no longer shows the form. The address changes in a transition, which the
 * browser may show a moment after everything else: a form that closes through it counts as being submitted until then, so that
 * a second click does not send it again.
 */
function useShown(): () => Promise<void> {
  const waiting = useRef<() => void>(undefined);
  const [drawn, draw] = useReducer((count: number) => count + 1, 0);
  // Runs when the transition is shown, and when the form no longer is.
  useEffect(() => () => waiting.current?.(), [drawn]);
  return () =>
    new Promise((resolve) => {
      waiting.current = resolve;
      startTransition(draw);
    });
}

/**
 * Submits the form; shows a spinner meanwhile, without changing its width. As high as the buttons beside it;
 * one as wide as its form, as on the page of sign-in, is large.
 */
export function SubmitButton<In extends FieldValues, Sent>({
  form,
  formId,
  children,
  ...rest
}: { form: FormOf<In, Sent>; formId?: string } & Omit<ButtonProps, 'form' | 'type'>) {
  return (
    <Button
      type="submit"
      form={formId}
      variant="contained"
      size={rest.fullWidth === true ? 'large' : 'medium'}
      {...rest}
      loading={form.formState.isSubmitting}
    >
      {children}
    </Button>
  );
}
