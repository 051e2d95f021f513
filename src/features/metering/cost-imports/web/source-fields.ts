// The fields of the cost source form, as text, and their conversion to what the server accepts.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { currencyCodes } from '#kernel/money.ts';
import { text } from '#kernel/shape.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import {
  costBases,
  scopeFields,
  sellBases,
  type costImports,
  type CostSource,
  type Place,
} from '../contract.ts';

export type ChosenPayer = { readonly id: Id<'sub'>; readonly name: string; readonly organization: string };
export type ChosenOrganization = { readonly id: Id<'org'>; readonly name: string };

export const markUpTargets = ['all', 'organization', 'subscription'] as const;
export const ruleTargets = ['subscription', 'nobody'] as const;
const free = z.string().check(z.trim());

export const sourceFields = z
  .strictObject({
    name: text(80),
    kind: z.enum(['upload', 'folder', 'bucket']),
    /** '' for none. */
    assumedCurrency: z.enum(['', ...currencyCodes]),
    path: free,
    bucket: free,
    prefix: free,
    region: free,
    endpoint: free,
    accessKeyId: free,
    secretAccessKey: free,
    rules: z.array(
      z.strictObject({
        field: z.enum(scopeFields),
        tag: free,
        value: text(500),
        to: z.enum(ruleTargets),
        payer: z.nullable(z.custom<ChosenPayer>()),
      }),
    ),
    costBasis: z.enum(costBases),
    sellBasis: z.enum(sellBases),
    passesCredits: z.boolean(),
    markUps: z.array(
      z.strictObject({
        target: z.enum(markUpTargets),
        organization: z.nullable(z.custom<ChosenOrganization>()),
        payer: z.nullable(z.custom<ChosenPayer>()),
        service: free,
        percent: z.string().check(z.trim(), z.regex(/^-?\d{1,4}(\.\d{1,12})?$/, 'costs.percent_wrong')),
        minimumFee: z.string().check(z.trim(), z.regex(/^(\d{1,15}(\.\d{1,12})?)?$/, 'costs.amount_wrong')),
      }),
    ),
  })
  .check(
    z.check((context) => {
      const { kind, bucket, region, rules, markUps } = context.value;
      const needed: [(string | number)[], boolean][] = [
        [['bucket'], kind === 'bucket' && bucket === ''],
        [['region'], kind === 'bucket' && region === ''],
        ...rules.flatMap(({ field, tag, to, payer }, place): [(string | number)[], boolean][] => [
          [['rules', place, 'tag'], field === 'tag' && tag === ''],
          [['rules', place, 'payer'], to === 'subscription' && payer === null],
        ]),
        ...markUps.flatMap(({ target, payer, organization }, place): [(string | number)[], boolean][] => [
          [['markUps', place, 'payer'], target === 'subscription' && payer === null],
          [['markUps', place, 'organization'], target === 'organization' && organization === null],
        ]),
      ];
      for (const [path, isMissing] of needed)
        if (isMissing)
          context.issues.push({
            code: 'too_small',
            origin: 'string',
            minimum: 1,
            inclusive: true,
            input: '',
            path,
          });
    }),
  );
export type SourceFields = z.output<typeof sourceFields>;
export type SourceForm = FormOf<SourceFields, SourceFields>;

export const emptyRule: SourceFields['rules'][number] = {
  field: 'subAccount',
  tag: '',
  value: '',
  to: 'subscription',
  payer: null,
};
export const emptyMarkUp: SourceFields['markUps'][number] = {
  target: 'all',
  organization: null,
  payer: null,
  service: '',
  percent: '',
  minimumFee: '',
};

/** The initial values of the form. */
export function fieldsOf(source: CostSource | undefined): SourceFields {
  const place = source?.place;
  const bucket = place?.kind === 'bucket' ? place : undefined;
  const payerOf = (id: string | null): ChosenPayer | null =>
    source?.payers.find((payer) => payer.id === id) ?? null;
  return {
    name: source?.name ?? '',
    kind: place?.kind ?? 'upload',
    assumedCurrency: source?.assumedCurrency ?? '',
    path: place?.kind === 'folder' ? place.path : '',
    bucket: bucket?.bucket ?? '',
    prefix: bucket?.prefix ?? '',
    region: bucket?.region ?? 'us-east-1',
    endpoint: bucket?.endpoint ?? '',
    accessKeyId: bucket?.accessKeyId ?? '',
    secretAccessKey: '',
    rules: (source?.rules ?? []).map(({ subscriptionId, ...rule }) => ({
      ...rule,
      to: subscriptionId === null ? 'nobody' : 'subscription',
      payer: payerOf(subscriptionId),
    })),
    costBasis: source?.selling.costBasis ?? 'billed',
    sellBasis: source?.selling.sellBasis ?? 'cost',
    passesCredits: source?.selling.passesCredits ?? false,
    markUps: (source?.selling.markUps ?? []).map((markUp) => ({
      target:
        markUp.subscriptionId !== null
          ? 'subscription'
          : markUp.organizationId === null
            ? 'all'
            : 'organization',
      organization: source?.organizations.find(({ id }) => id === markUp.organizationId) ?? null,
      payer: payerOf(markUp.subscriptionId),
      service: markUp.service,
      percent: markUp.percent,
      minimumFee: markUp.minimumFee ?? '',
    })),
  };
}

function placeOf(fields: SourceFields): Place {
  if (fields.kind === 'upload') return { kind: 'upload' };
  if (fields.kind === 'folder') return { kind: 'folder', path: fields.path };
  return {
    kind: 'bucket',
    bucket: fields.bucket,
    prefix: fields.prefix,
    region: fields.region,
    endpoint: fields.endpoint === '' ? null : fields.endpoint,
    accessKeyId: fields.accessKeyId === '' ? null : fields.accessKeyId,
  };
}

/** The request that creates a source. */
export const newSourceOf = (fields: SourceFields): In<typeof costImports.createCostSource> => ({
  name: fields.name,
  place: placeOf(fields),
  assumedCurrency: fields.assumedCurrency === '' ? null : fields.assumedCurrency,
  ...(fields.secretAccessKey !== '' && { secretAccessKey: fields.secretAccessKey }),
  rules: fields.rules.map(({ field, tag, value, to, payer }) => ({
    field,
    tag: field === 'tag' ? tag : '',
    value,
    subscriptionId: to === 'nobody' ? null : (payer?.id ?? null),
  })),
  selling: {
    costBasis: fields.costBasis,
    sellBasis: fields.sellBasis,
    passesCredits: fields.passesCredits,
    markUps: fields.markUps.map(({ target, organization, payer, service, percent, minimumFee }) => ({
      organizationId: target === 'organization' ? (organization?.id ?? null) : null,
      subscriptionId: target === 'subscription' ? (payer?.id ?? null) : null,
      service,
      percent,
      minimumFee: minimumFee === '' ? null : minimumFee,
    })),
  },
});

/** The request that changes a source; a stored key is kept unless another was entered. */
export const changesOf = (
  { id, version }: CostSource,
  fields: SourceFields,
): In<typeof costImports.updateCostSource> => ({ sourceId: id, version, ...newSourceOf(fields) });
