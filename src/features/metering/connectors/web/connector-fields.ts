// What the form of a connector holds, as texts, and how it becomes what the server takes.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import { text } from '#kernel/shape.ts';
import {
  credentialKinds,
  pagings,
  sourceKinds,
  type Connector,
  type connectors,
  type Credentials,
  type Mapping,
  type Options,
  type Payer,
} from '../contract.ts';

const wholeNumber = /^\d{1,5}$/;
const longestSettle = 86_400;
/** What the form says of credentials: a kind, or that the stored ones stay. */
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
    }),
    options: z.strictObject({
      kind: z.enum(sourceKinds),
      mode: z.enum(['counter', 'gauge']),
      query: free,
      resourceLabels: free,
      items: free,
      resourceFields: free,
      timeField: free,
      paging: z.strictObject({ kind: z.enum(pagings), parameter: free, cursorField: free }),
    }),
    mapping: z.strictObject({
      subscriptionField: free,
      rules: z.array(rule),
      measures: z.array(measure).check(z.minLength(1)),
    }),
  })
  .check(
    z.check((context) => {
      const { options, credentials, mapping } = context.value;
      const needed: [string, string][] =
        options.kind === 'prometheus'
          ? [
              ['options.query', options.query],
              ['options.resourceLabels', options.resourceLabels],
            ]
          : [['options.resourceFields', options.resourceFields]];
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

type SecretName = 'token' | 'user' | 'password' | 'name' | 'value';
/** The fields that a kind of credentials has. */
export function secretsOf(kind: CredentialChoice): readonly SecretName[] {
  if (kind === 'bearer') return ['token'];
  if (kind === 'basic') return ['user', 'password'];
  return kind === 'header' ? ['name', 'value'] : [];
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

/** The lines `name = expression` as dimensions; undefined when one is none. */
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

const listOf = (typed: string): string[] =>
  typed
    .split(/[,，]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** What the form begins with. */
export function fieldsOf(connector: Connector | undefined): ConnectorFields {
  const options = connector?.options;
  const http = options?.kind === 'http_json' ? options : undefined;
  const prometheus = options?.kind === 'prometheus' ? options : undefined;
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
    },
    options: {
      kind: options?.kind ?? 'prometheus',
      mode: prometheus?.mode ?? 'counter',
      query: prometheus?.query ?? '',
      resourceLabels: prometheus?.resourceLabels.join(', ') ?? '',
      items: http?.items ?? '',
      resourceFields: http?.resourceFields.join(', ') ?? '',
      timeField: http?.timeField ?? '',
      paging: {
        kind: http?.paging.kind ?? 'none',
        parameter: http?.paging.parameter ?? '',
        cursorField: http?.paging.cursorField ?? '',
      },
    },
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

function optionsOf({ options }: ConnectorFields): Options {
  if (options.kind === 'prometheus')
    return {
      kind: 'prometheus',
      mode: options.mode,
      query: options.query,
      resourceLabels: listOf(options.resourceLabels),
    };
  return {
    kind: 'http_json',
    items: options.items,
    resourceFields: listOf(options.resourceFields),
    timeField: options.timeField,
    paging: { ...options.paging, first: 1 },
  };
}

/** The mapping of the form; the form has checked that every rule has a subscription. */
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

function credentialsOf({ credentials }: ConnectorFields): Credentials | undefined {
  const { kind, token, user, password, name, value } = credentials;
  if (kind === 'bearer') return { kind, token };
  if (kind === 'basic') return { kind, user, password };
  if (kind === 'header') return { kind, name, value };
  return kind === 'none' ? { kind } : undefined;
}

const windowOf = (typed: string): 300 | 900 | 3600 => (typed === '300' ? 300 : typed === '900' ? 900 : 3600);

/** What makes a connector. */
export const newConnectorOf = (fields: ConnectorFields): In<typeof connectors.createConnector> => ({
  name: fields.name,
  address: fields.address,
  windowSeconds: windowOf(fields.windowSeconds),
  settleSeconds: Number(fields.settleSeconds),
  options: optionsOf(fields),
  mapping: mappingOf(fields),
  credentials: credentialsOf(fields) ?? { kind: 'none' },
});

/** What changes a connector; stored credentials stay unless others were entered. */
export function changesOf(
  { id, version }: Connector,
  fields: ConnectorFields,
): In<typeof connectors.updateConnector> {
  const { credentials: _credentials, ...settings } = newConnectorOf(fields);
  const credentials = credentialsOf(fields);
  return { connectorId: id, version, ...settings, ...(credentials && { credentials }) };
}
