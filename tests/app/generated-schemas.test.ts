// The schemas that the server checks calls with mean what the contracts say: zod generates their parsers
// (generated-schemas.ts).
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { money } from '#kernel/money.ts';
import { day, id, instant, moneyShape, pageOf, queryInteger } from '#kernel/shape.ts';
import { withGeneratedParsers } from '#platform/server/http/generated-schemas.ts';
import { everyFeature } from '#app/every-feature.ts';

const Item = z.strictObject({
  id: id('usr'),
  createdAt: instant,
  price: z.nullable(moneyShape),
  on: z.optional(day),
  state: z.discriminatedUnion('is', [
    z.strictObject({ is: z.literal('open'), since: instant }),
    z.strictObject({ is: z.literal('closed'), byId: z.record(z.string(), z.array(z.int())) }),
  ]),
});
const Items = pageOf(Item);
const item = {
  id: 'usr_01m8jtgf6xvy29dghdz19b2eyv',
  createdAt: new Date('2026-11-29T04:56:11.123Z'),
  price: money(123450n, 'TWD'),
  state: { is: 'open', since: new Date('2026-11-29T04:56:11Z') },
};
const page = (...items: readonly object[]): never =>
  ({ items, nextCursor: null, total: items.length }) as never;

/** What encoding gives: the response, or what is wrong with it. */
function encoded(schema: z.core.$ZodType, value: never): unknown {
  try {
    return z.encode(schema, value);
  } catch (error) {
    if (error instanceof z.core.$ZodError) return error.issues;
    throw error;
  }
}

describe('schemas with generated parsers', () => {
  it.each([
    ['a page', page(item, { ...item, on: '2026-11-29', price: null })],
    ['another kind', page({ ...item, state: { is: 'closed', byId: { a: [1, 2] } } })],
    ['nothing', page()],
    ['a field that the contract does not know', page({ ...item, passwordHash: 'secret' })],
    ['an unknown field deeper inside', page({ ...item, state: { ...item.state, secret: 1 } })],
    ['a missing field', page({ ...item, id: undefined })],
    ['a value that is not the contract’s', page({ ...item, id: 'org_1', createdAt: 'yesterday' })],
    ['an unknown kind', page({ ...item, state: { is: 'lost' } })],
    ['a day that does not exist', page({ ...item, on: '2026-02-30' })],
  ])('encode %s, or refuse it, as the contract’s own schema does', (_what, value) => {
    expect(encoded(withGeneratedParsers(Items), value)).toEqual(encoded(Items, value));
  });

  it('read the fields of a request as the contract’s own schema does', () => {
    const Query = z.strictObject({ limit: z.optional(queryInteger(1, 200)), month: z.optional(day) });
    for (const fields of [{}, { limit: '25' }, { limit: '0' }, { limit: 'x', month: '1' }, { other: '' }]) {
      const [own, generated] = [Query, withGeneratedParsers(Query)].map((each) => z.safeParse(each, fields));
      expect(generated?.data).toEqual(own?.data);
      expect(generated?.error?.issues).toEqual(own?.error?.issues);
    }
  });

  it('describe the same requests and responses for every call', () => {
    const described = (schema: z.core.$ZodType): unknown =>
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry<object>() });
    const routes = everyFeature({ jobs: () => [], kinds: () => [] }).flatMap(({ contract }) =>
      Object.values(contract),
    );
    for (const { path, input, output } of routes)
      for (const schema of [input, output])
        expect(described(withGeneratedParsers(schema)), path).toEqual(described(schema));
  });

  it('are made once for each schema', () => {
    expect(withGeneratedParsers(Items)).toBe(withGeneratedParsers(Items));
  });
});
