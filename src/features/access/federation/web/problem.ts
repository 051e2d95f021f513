// What went wrong with an external sign-in: a sentence for the user, and technical details.
import { asError } from '#kernel/errors.ts';
import { providerErrorText } from '../rules-answer.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import type { enUS } from '../locales/enUS.ts';

export type Problem =
  | { readonly key: keyof typeof enUS; readonly detail: string }
  | { readonly sentence: string; readonly detail: string };

const sentences: Readonly<Record<string, keyof typeof enUS>> = {
  'Network timed out': 'federation.callback_timeout',
  'IFrame timed out without a response': 'federation.callback_timeout',
  'State does not match': 'federation.callback_state',
  'No matching state found in storage': 'federation.callback_unknown',
  'Popup blocked by user': 'federation.callback_popup_blocked',
  'Popup closed': 'federation.callback_popup_closed',
  'Failed to fetch': 'federation.provider_unavailable',
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Interprets an error of the provider, of the client library, or of our own server. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { sentence: error.message, detail: error.code };
  const text = (name: string): string | undefined =>
    error instanceof Error && name in error
      ? textOf(Object.getOwnPropertyDescriptor(error, name)?.value)
      : undefined;
  const reported = [text('error'), text('error_description')].filter((part) => part !== undefined).join(': ');
  const detail = reported === '' ? providerErrorText(asError(error).message) : reported.slice(0, 300);
  return { key: sentences[detail] ?? 'federation.callback_failed', detail };
}
