// Turns the reasons for rejecting an event into sentences for its sender.
import type { TextParams } from '#kernel/text.ts';

/** Translates a key with its parameters into the reader's language. */
type Translate = (key: string, params?: TextParams) => string;

/**
 * Returns the sentence for a rejection. A violation of a data schema or of the specification is embedded as a
 * sentence of its own: the place and the rule.
 */
// used as: 'usage.rule_*', 'usage.attribute_*'
export function rejectionText(translate: Translate, code: string, params: TextParams = {}): string {
  if (code === 'usage.event_malformed')
    return translate(code, { what: translate(`usage.attribute_${params['rule'] ?? 'object'}`, params) });
  if (code !== 'usage.data_schema') return translate(code, params);
  const { path = '', rule = 'other' } = params;
  return translate(code, {
    where: `data${String(path).replaceAll('/', '.')}`,
    problem: translate(`usage.rule_${rule}`, params),
  });
}
