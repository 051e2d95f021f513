// The reasons for rejecting an event, in words for its sender.
import type { TextParams } from '#kernel/text.ts';

/** A sentence of a key with its parameters, in the reader's language. */
type Translate = (key: string, params?: TextParams) => string;

/** The sentence of a rejection. What a data schema or the specification finds is a sentence within it: where, and which rule. */
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
