// How the form of a quote converts the services and charges of a commitment.
import { describe, expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import {
  contentOf,
  emptyCommitment,
  emptyItem,
  emptyQuote,
  quoteFields,
  type QuoteFields,
} from './quote-fields.ts';

const service = (name: string) => ({ id: `svc_${name}` as Id<'svc'>, name });
const [storage, machines] = [service('storage'), service('machines')];
const empty = emptyQuote('TWD', '2026-12-31' as LocalDay);
const traffic = { serviceId: machines.id, chargeKey: 'traffic' };
const quote = (commitment: Partial<typeof emptyCommitment>): QuoteFields => ({
  ...empty,
  organization: { id: 'org_1' as Id<'org'>, name: '晨光' },
  content: {
    ...empty.content,
    items: [storage, machines].map((serviceId) => ({ ...emptyItem, serviceId })),
    commitments: [
      { ...emptyCommitment, name: { zhTW: '承諾', enUS: 'Commitment' }, amounts: '12,000', ...commitment },
    ],
  },
});
const scope = (fields: QuoteFields) => contentOf(fields).commitments?.[0]?.scope;

describe('T-QUOTE: the form of a quote’s commitment', () => {
  test('is for all services, for several, or for single charges of one of them', () => {
    expect(scope(quote({}))).toEqual({ services: null, charges: null, usageOnly: false });
    expect(scope(quote({ services: [storage, machines], charges: [traffic], usageOnly: true }))).toEqual({
      services: [storage.id, machines.id],
      charges: [traffic],
      usageOnly: true,
    });
  });

  test('omits charges of a service that is no longer selected', () => {
    expect(scope(quote({ services: [storage], charges: [traffic] }))).toMatchObject({ charges: null });
  });

  test('rejects a service that is no longer in the quote at its field', () => {
    const read = quoteFields.safeParse(quote({ services: [storage, service('gone')] }));
    expect(read.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['content.commitments.0.services', 'quotes.not_offered'],
    ]);
    expect(quoteFields.safeParse(quote({ services: [storage] })).success).toBe(true);
  });
});
