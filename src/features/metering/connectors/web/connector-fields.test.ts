import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { connectors, type Connector } from '../contract.ts';
import {
  changesOf,
  connectorFields,
  emptyRule,
  fieldsOf,
  newConnectorOf,
  readDimensions,
} from './connector-fields.ts';

const filled = () => {
  const fields = fieldsOf(undefined);
  return {
    ...fields,
    name: 'Cloud',
    address: 'https://prometheus.example.com',
    options: { ...fields.options, query: 'up', resourceLabels: 'cluster, vm' },
    mapping: { ...fields.mapping, measures: [{ ...fields.mapping.measures[0]!, eventType: 'vm' }] },
  };
};
const paths = (fields: unknown): string[] => {
  const read = z.safeParse(connectorFields, fields);
  return read.success ? [] : read.error.issues.map(({ path }) => path.join('.')).toSorted();
};

describe('the form of a connector', () => {
  it('T-CONN: names every field that is missing, also the subscription of a rule', () => {
    expect(paths(filled())).toEqual([]);
    const fields = filled();
    expect(
      paths({
        ...fields,
        settleSeconds: '1.5',
        options: { ...fields.options, query: ' ' },
        credentials: { ...fields.credentials, kind: 'basic', user: 'me' },
        mapping: { ...fields.mapping, rules: [{ ...emptyRule, field: 'a', value: 'b' }] },
      }),
    ).toContain('settleSeconds');
    expect(
      paths({
        ...fields,
        options: { ...fields.options, query: '' },
        credentials: { ...fields.credentials, kind: 'basic', user: 'me' },
        mapping: { ...fields.mapping, rules: [{ ...emptyRule, field: 'a', value: 'b' }] },
      }),
    ).toEqual(['credentials.password', 'mapping.rules.0.subscriptionId', 'options.query']);
  });

  it('T-CONN: makes what the server takes, and keeps stored credentials unless others are entered', () => {
    const made = newConnectorOf(filled());
    expect(z.safeParse(connectors.createConnector.input, made).success).toBe(true);
    expect(made.options).toMatchObject({ resourceLabels: ['cluster', 'vm'] });
    const stored = {
      ...made,
      id: `con_${'0'.repeat(26)}` as Id<'con'>,
      version: 3,
      credentials: 'bearer',
      payers: [],
    } as unknown as Connector;
    const opened = fieldsOf(stored);
    expect(changesOf(stored, opened)).not.toHaveProperty('credentials');
    expect(
      changesOf(stored, { ...opened, credentials: { ...opened.credentials, kind: 'bearer', token: 'new' } }),
    ).toMatchObject({ version: 3, credentials: { kind: 'bearer', token: 'new' } });
    expect(
      changesOf(stored, { ...opened, credentials: { ...opened.credentials, kind: 'none' } }),
    ).toMatchObject({ credentials: { kind: 'none' } });
  });

  it('T-CONN: dimensions are lines of a name and an expression, each name once', () => {
    expect(readDimensions('region = labels.region\n\nsize=$uppercase(a = b ? "x" : "y")')).toEqual({
      region: 'labels.region',
      size: '$uppercase(a = b ? "x" : "y")',
    });
    for (const wrong of ['region', '= a', 'region =', 'a = b\na = c'])
      expect(readDimensions(wrong)).toBeUndefined();
  });
});
