// The fields of the connector form, as text, and their conversion to what the server accepts.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import { text } from '#kernel/shape.ts';
import type { Connector, connectors, Mapping, Payer } from '../contract.ts';
import { credentialKinds, type Credentials } from '../contract-sources.ts';
import { neededOptions, optionFields, optionFieldsOf, optionsOf } from './option-fields.ts';

const wholeNumber = /^\d{1,5}$/;
const longestSettle = 86_400;
/** The choice of credentials in the form: a kind, or keeping the stored ones. */
export const credentialChoices = ['kept', ...credentialKinds] as const;

const free = z.string().check(z.trim());
const payer = z.nullable(z.custom<Payer>());
const rule = z.strictObject({ field: text(200), value: text(300), subscriptionId: payer });
const measure = z.strictObject({
  eventType: text(200),
  quantity: text(1000),
  multiplyBy: text(40),
  divideBy: text(40),
  dimensions: z
    .string()
    .check(z.refine((typed) => readDimensions(typed) !== undefined, 'connectors.dimensions_wrong')),
});

export const connectorFields = z
  .strictObject({
    name: text(80),
    address: text(2000),
    windowSeconds: z.string(),
    settleSeconds: z.string().check(
      z.trim(),
      z.refine(
        (typed) => wholeNumber.test(typed) && Number(typed) <= longestSettle,
        'connectors.whole_number',
      ),
    ),
    credentials: z.strictObject({
      kind: z.enum(credentialChoices),
      token: z.string(),
      user: z.string(),
      password: z.string(),
      name: z.string(),
      value: z.string(),
      userDomain: z.string(),
      project: z.string(),
      projectDomain: z.string(),
      applicationId: z.string(),
      secret: z.string(),
      tokenId: z.string(),
    }),
    options: optionFields,
    mapping: z.strictObject({
      subscriptionField: free,
      rules: z.array(rule),
      measures: z.array(measure).check(z.minLength(1)),
    }),
  })
  .check(
    z.check((context) => {
      const { options, credentials, mapping } = context.value;
      const needed = neededOptions(options).map((name): [string, string] => [
        `options.${name}`,
        String(options[name]),
      ]);
      for (const name of secretsOf(credentials.kind)) needed.push([`credentials.${name}`, credentials[name]]);
      for (const [place, each] of mapping.rules.entries())
        needed.push([`mapping.rules.${place}.subscriptionId`, each.subscriptionId?.id ?? '']);
      for (const [path, value] of needed)
        if (value === '')
          context.issues.push({
            code: 'too_small',
            origin: 'string',
            minimum: 1,
            inclusive: true,
            input: value,
            path: path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
          });
    }),
  );
export type ConnectorFields = z.output<typeof connectorFields>;
export type CredentialChoice = (typeof credentialChoices)[number];

export const secretNames = [
  'token',
  'user',
  'password',
  'name',
  'value',
  'userDomain',
  'project',
  'projectDomain',
  'applicationId',
  'secret',
  'tokenId',
] as const;
export type SecretName = (typeof secretNames)[number];
const secrets: Readonly<Record<CredentialChoice, readonly SecretName[]>> = {
  kept: [],
  none: [],
  bearer: ['token'],
  basic: ['user', 'password'],
  header: ['name', 'value'],
  keystone_password: ['user', 'userDomain', 'password', 'project', 'projectDomain'],
  keystone_application: ['applicationId', 'secret'],
  proxmox_token: ['tokenId', 'secret'],
};
/** The fields of a kind of credentials. */
export const secretsOf = (kind: CredentialChoice): readonly SecretName[] => secrets[kind];

/** The kinds of credentials that a kind of source accepts, most common first. */
export function choicesFor(kind: ConnectorFields['options']['kind'], hasStored: boolean): CredentialChoice[] {
  const own: readonly CredentialChoice[] =
    kind === 'openstack'
      ? ['keystone_application', 'keystone_password']
      : kind === 'proxmox'
        ? ['proxmox_token']
        : ['none', 'bearer', 'basic', 'header'];
  return hasStored ? ['kept', ...own] : [...own];
}

export const emptyRule: ConnectorFields['mapping']['rules'][number] = {
  field: '',
  value: '',
  subscriptionId: null,
};
export const emptyMeasure: ConnectorFields['mapping']['measures'][number] = {
  eventType: '',
  quantity: 'value',
  multiplyBy: '1',
  divideBy: '1',
  dimensions: '',
};

/** Parses lines `name = expression` as dimensions; undefined if a line is invalid. */
export function readDimensions(typed: string): Record<string, string> | undefined {
  const dimensions: Record<string, string> = {};
  for (const line of typed.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, name = '', expression = ''] = /^([^=\s]+)\s*=\s*(.+)$/.exec(line) ?? [];
    if (name === '' || expression === '' || name in dimensions) return undefined;
    dimensions[name] = expression;
  }
  return dimensions;
}

/** The initial values of the form. */
export function fieldsOf(connector: Connector | undefined): ConnectorFields {
  return {
    name: connector?.name ?? '',
    address: connector?.address ?? '',
    windowSeconds: String(connector?.windowSeconds ?? 3600),
    settleSeconds: String(connector?.settleSeconds ?? 120),
    credentials: {
      kind: connector && connector.credentials !== 'none' ? 'kept' : 'none',
      token: '',
      user: '',
      password: '',
      name: '',
      value: '',
      userDomain: 'Default',
      project: '',
      projectDomain: 'Default',
      applicationId: '',
      secret: '',
      tokenId: '',
    },
    options: optionFieldsOf(connector?.options),
    mapping: {
      subscriptionField: connector?.mapping.subscriptionField ?? '',
      rules: (connector?.mapping.rules ?? []).map(({ field, value, subscriptionId }) => ({
        field,
        value,
        subscriptionId: connector?.payers.find(({ id }) => id === subscriptionId) ?? null,
      })),
      measures: connector?.mapping.measures.map(({ dimensions, ...each }) => ({
        ...each,
        dimensions: Object.entries(dimensions)
          .map(([name, expression]) => `${name} = ${expression}`)
          .join('\n'),
      })) ?? [emptyMeasure],
    },
  };
}

/** The form's mapping; the form has already checked that every rule has a subscription. */
export function mappingOf({ mapping }: ConnectorFields): Mapping {
  return {
    subscriptionField: mapping.subscriptionField,
    rules: mapping.rules.flatMap(({ field, value, subscriptionId }) =>
      isId('sub', subscriptionId?.id) ? [{ field, value, subscriptionId: subscriptionId.id }] : [],
    ),
    measures: mapping.measures.map(({ dimensions, ...each }) => ({
      ...each,
      dimensions: readDimensions(dimensions) ?? {},
    })),
  };
}

function credentialsOf({ credentials: typed }: ConnectorFields): Credentials | undefined {
  const { kind, user, password } = typed;
  switch (kind) {
    case 'kept':
      return undefined;
    case 'none':
      return { kind };
    case 'bearer':
      return { kind, token: typed.token };
    case 'basic':
      return { kind, user, password };
    case 'header':
      return { kind, name: typed.name, value: typed.value };
    case 'keystone_password': {
      const { userDomain, project, projectDomain } = typed;
      return { kind, user, userDomain, password, project, projectDomain };
    }
    case 'keystone_application':
      return { kind, applicationId: typed.applicationId, secret: typed.secret };
    case 'proxmox_token':
      return { kind, tokenId: typed.tokenId, secret: typed.secret };
  }
}

const windowOf = (typed: string): 300 | 900 | 3600 => (typed === '300' ? 300 : typed === '900' ? 900 : 3600);

/** The request that creates a connector. */
export const newConnectorOf = (fields: ConnectorFields): In<typeof connectors.createConnector> => ({
  name: fields.name,
  address: fields.address,
  windowSeconds: windowOf(fields.windowSeconds),
  settleSeconds: Number(fields.settleSeconds),
  options: optionsOf(fields.options),
  mapping: mappingOf(fields),
  credentials: credentialsOf(fields) ?? { kind: 'none' },
});

/** The settings to preview: those of the form, with the stored credentials unless others were entered. */
export function triedOf(
  connector: Connector | undefined,
  fields: ConnectorFields,
): In<typeof connectors.tryConnector> {
  const { name: _name, credentials: _credentials, ...settings } = newConnectorOf(fields);
  const credentials = credentialsOf(fields);
  return {
    ...settings,
    ...(connector && { connectorId: connector.id }),
    ...(credentials && { credentials }),
  };
}

/** The request that changes a connector; stored credentials are kept unless others were entered. */
export function changesOf(
  { id, version }: Connector,
  fields: ConnectorFields,
): In<typeof connectors.updateConnector> {
  const { credentials: _credentials, ...settings } = newConnectorOf(fields);
  const credentials = credentialsOf(fields);
  return { connectorId: id, version, ...settings, ...(credentials && { credentials }) };
}
