import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { connectors, type Connector } from '../contract.ts';
import {
  changesOf,
  choicesFor,
  connectorFields,
  emptyRule,
  fieldsOf,
  newConnectorOf,
  readDimensions,
} from './connector-fields.ts';
import { optionFieldsOf, optionsOf } from './option-fields.ts';

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
  it('T-CONN: names every missing field, including the subscription of a rule', () => {
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

  it('T-CONN: creates what the server accepts, and keeps stored credentials unless others are entered', () => {
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

  it('T-CONN: has fields and credentials for each kind of source, and shows stored ones unchanged', () => {
    const typed = filled();
    const credentials = { ...typed.credentials, applicationId: 'a', secret: 's', tokenId: 't' };
    const options = {
      ...typed.options,
      reads: 'gnocchi',
      metric: 'cpu',
      resourceType: 'instance',
      aggregation: 'mean',
      wanted: { server: true, volume: true, floating_ip: false },
    } as const;
    const kinds = [
      ['openstack', 'keystone_application'],
      ['proxmox', 'proxmox_token'],
      ['opencost', 'none'],
    ] as const;
    for (const [kind, given] of kinds) {
      const made = newConnectorOf({
        ...typed,
        options: { ...options, kind },
        credentials: { ...credentials, kind: given },
      });
      expect(z.safeParse(connectors.createConnector.input, made).success).toBe(true);
      expect(optionsOf(optionFieldsOf(made.options))).toEqual(made.options);
      expect(choicesFor(kind, false)).toContain(given);
    }
    expect(
      paths({ ...typed, options: { ...options, kind: 'openstack', metric: '', aggregation: '' } }),
    ).toEqual(['options.aggregation', 'options.metric']);
    expect(choicesFor('prometheus', true)).not.toContain('keystone_password');
  });

  it('T-CONN: sends an entered inventory, and no query of another kind with it', () => {
    const typed = filled();
    const inventory = { ...typed.options.inventory, query: 'up', address: 'https://example.com/all' };
    expect(newConnectorOf(typed).options).not.toHaveProperty('inventory');
    const made = newConnectorOf({ ...typed, options: { ...typed.options, inventory } });
    expect(made.options).toMatchObject({ inventory: { query: 'up' } });
    expect(made.options).not.toHaveProperty('inventory.address');
    expect(optionsOf(optionFieldsOf(made.options))).toEqual(made.options);
  });

  it('T-CONN: reads dimensions as lines of a name and an expression, each name once', () => {
    expect(readDimensions('region = labels.region\n\nsize=$uppercase(a = b ? "x" : "y")')).toEqual({
      region: 'labels.region',
      size: '$uppercase(a = b ? "x" : "y")',
    });
    for (const wrong of ['region', '= a', 'region =', 'a = b\na = c'])
      expect(readDimensions(wrong)).toBeUndefined();
  });
});
