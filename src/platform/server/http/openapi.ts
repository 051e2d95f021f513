// The OpenAPI document, generated from the contracts that the server enforces: 3.1, and 3.0 for client
// generators that support nothing newer.
import * as z from 'zod/mini';
import { file, pathNames, redirect, scopesOf, takesIdempotencyKey, type Route } from '#kernel/contract.ts';
import { maxBatchedReads, batchReadsPath } from '#kernel/batch-reads.ts';
import type { PermissionOf } from './admission.ts';
import { conditionsOf, type Conditions } from './conditional.ts';
import { expandableBy, expandedField, isFoundByAnswer, type Expandable } from './expand.ts';
import { editions, type Edition, type Json, type OpenApiEdition } from './openapi-editions.ts';
import type { Feature } from '../unit-of-work/feature.ts';

/** The names of schemas that are listed once, among the document's components, and referenced elsewhere. */
export type SchemaNames = z.core.$ZodRegistry<{ id: string }>;

/** Generates JSON Schemas and collects the named ones. */
type SchemaMaker = {
  readonly edition: Edition;
  /** The schema of the JSON on the wire, for the operation with an id. */
  readonly of: (schema: z.core.$ZodType, operationId: string) => Json;
  readonly components: Record<string, Json>;
};

/**
 * Copies a schema, with references to the document's components, and with examples in the version's form.
 */
function adaptSchema(value: unknown, edition: Edition, componentOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => adaptSchema(each, edition, componentOf));
  if (typeof value !== 'object' || value === null) return value;
  const localPrefix = `#/${edition.parts}/`;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => {
      if (key === '$ref' && typeof each === 'string' && each.startsWith(localPrefix))
        return [key, `#/components/schemas/${componentOf(each.slice(localPrefix.length))}`];
      // A list means the schema keyword `examples`; a field of that name holds a schema instead.
      if (key === 'examples' && Array.isArray(each) && edition.hasOneExample) return ['example', each[0]];
      return [key, adaptSchema(each, edition, componentOf)];
    }),
  );
}

function schemaMaker(names: SchemaNames, edition: Edition): SchemaMaker {
  const components: Record<string, Json> = {};
  return {
    edition,
    components,
    of: (schema, operationId) => {
      const made = z.toJSONSchema(schema, {
        io: 'input',
        target: edition.target,
        unrepresentable: 'any',
        metadata: names,
        // Custom schemas (ids, months, days) describe themselves in the registry.
        override: ({ zodSchema, jsonSchema }) =>
          void Object.assign(jsonSchema, z.globalRegistry.get(zodSchema)),
      }) as Json;
      const { $schema: _dialect, [edition.parts]: parts = {}, ...rest } = made;
      // A recursive schema without a name is named after its operation.
      const componentOf = (name: string): string =>
        name.startsWith('__') ? `${operationId}${name.replace(/^__schema/, '.part')}` : name;
      for (const [name, part] of Object.entries(parts as Record<string, Json>)) {
        const { id: _name, ...content } = part;
        components[componentOf(name)] ??= adaptSchema(content, edition, componentOf) as Json;
      }
      const whole = adaptSchema(rest, edition, componentOf) as Json;
      const own = names.get(schema)?.id;
      if (own === undefined) return whole;
      components[own] ??= whole;
      return { $ref: `#/components/schemas/${own}` };
    },
  };
}

function envelope(data: Json): Json {
  return {
    type: 'object',
    required: ['data', 'isSuccess', 'message'],
    properties: { data, isSuccess: { type: 'boolean' }, message: { type: 'string' } },
  };
}

const failure: Json = {
  description:
    'Error. `code` is stable, `message` is in the request’s language, and `errors` lists invalid fields.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

function security(route: Route, permission: string | undefined): Json[] {
  if (route.access === 'public') return [];
  if (route.access === 'cookie') return [{ session: [] }];
  return [
    ...(route.access.roles.length > 0 ? [{ accessToken: [] }] : []),
    ...(scopesOf(route.access).length > 0 || permission !== undefined ? [{ apiKey: [] }] : []),
  ];
}

/** Who may make the call, in words. */
function accessOf(route: Route, permission: string | undefined): string {
  if (route.access === 'public') return 'No authentication.';
  if (route.access === 'cookie') return 'Requires the session cookie.';
  const scopes = scopesOf(route.access).map((scope) => `\`${scope}\``);
  const keys = [
    ...(scopes.length > 0 ? [`scope ${scopes.join(' or ')}`] : []),
    ...(permission === undefined
      ? []
      : [`permission \`${permission}\`${route.fresh ? ' and irreversible calls allowed' : ''}`]),
  ];
  const roles = `Roles: ${route.access.roles.join(', ') || 'none'}.`;
  return keys.length === 0
    ? `${roles} Not available to API keys.`
    : `${roles} API keys: ${keys.join(', or ')}.`;
}

/** The schema of a body with its own media type: any JSON, text, or bytes. */
function bodyOf(type: string, { anyJson }: Edition): Json {
  if (/[/+]json$/.test(type)) return anyJson;
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** The input schema of a call, inlined, because its fields are split between path, query and body. */
function inputOf(route: Route, operationId: string, schemas: SchemaMaker): Json {
  const input = schemas.of(route.input, operationId);
  const named = /^#\/components\/schemas\/(.+)$/.exec(String(input['$ref']))?.[1];
  return named === undefined ? input : (schemas.components[named] ?? input);
}

/** The schema of a response's data, including expandable reads; named when the data's schema is named. */
function dataOf(route: Route, operationId: string, schemas: SchemaMaker, expandable: Expandable): Json {
  const data = schemas.of(route.output, operationId);
  if (expandable.size === 0) return data;
  const named = /^#\/components\/schemas\/(.+)$/.exec(String(data['$ref']))?.[1];
  const plain = (named === undefined ? data : schemas.components[named]) ?? {};
  const parts = [...expandable].map(([name, read]) => {
    const part = schemas.of(read.output, `${operationId}.${expandedField}.${name}`);
    return [name, isFoundByAnswer(route, read) ? schemas.edition.orNull(part) : part] as const;
  });
  const whole = {
    ...plain,
    properties: {
      ...(plain['properties'] as Json),
      [expandedField]: {
        type: 'object',
        properties: Object.fromEntries(parts),
        additionalProperties: false,
      },
    },
  };
  if (named === undefined) return whole;
  schemas.components[`${named}Expanded`] = whole;
  return { $ref: `#/components/schemas/${named}Expanded` };
}

/** Whether people may make the call, so that a key that acts for a person needs a permission. */
const isOfPeople = (route: Route): boolean =>
  typeof route.access === 'object' && route.access.roles.length > 0;

/** Parameters that have the same meaning wherever they occur. */
const meanings: Readonly<Record<string, string>> = {
  q: 'Search text.',
  sort: 'The field to sort by. A leading `-` sorts in descending order.',
  limit: 'Items per page.',
  cursor: 'The `nextCursor` of the previous page.',
  language: 'The language of texts in the response; that of `Accept-Language` by default.',
  'Idempotency-Key':
    'A value that you use once, such as a UUID. A repeat with the same key returns the first response.',
  'If-Match': 'Makes the change only if the object still has this `ETag`; otherwise returns 412.',
  'If-None-Match': 'Returns 304 without a body if the object still has this `ETag`.',
};
const describedAs = (name: string): Json =>
  meanings[name] === undefined ? {} : { description: meanings[name] };

const conditionHeader = (name: string): Json => ({
  name,
  in: 'header',
  required: false,
  ...describedAs(name),
  schema: { type: 'string' },
});

/** A call, and what its description depends on besides its route. */
type DescribedCall = {
  /** feature.verb */
  readonly operationId: string;
  readonly route: Route;
  readonly ownUnitOfWork: boolean;
  /** The permission that a key needs; undefined when no key may make the call. */
  readonly permission: string | undefined;
  readonly expandable: Expandable;
  /** Whether an Admin can require approval for it. */
  readonly mayWait: boolean;
};

function operation(
  { operationId, route, ownUnitOfWork, permission, expandable, mayWait }: DescribedCall,
  schemas: SchemaMaker,
  conditions: Conditions,
): Json {
  const input = inputOf(route, operationId, schemas);
  const properties = (input['properties'] ?? {}) as Record<string, Json>;
  const required = (input['required'] ?? []) as string[];
  const places = pathNames(route.path);
  const fields = Object.keys(properties).filter((field) => !places.includes(field));
  const inQuery = route.method === 'GET' || route.method === 'DELETE' || route.raw !== undefined;
  const parameters: Json[] = [
    ...places.map((place) => ({ name: place, in: 'path', required: true, schema: properties[place] })),
    ...(inQuery
      ? fields.map((field) => ({
          name: field,
          in: 'query',
          required: required.includes(field),
          ...describedAs(field),
          schema: properties[field],
        }))
      : []),
    ...(expandable.size > 0
      ? [
          {
            name: 'expand',
            in: 'query',
            required: false,
            description: 'Related data to include in `expanded`, each as its own operation returns it.',
            schema: { type: 'array', items: { type: 'string', enum: [...expandable.keys()] } },
          },
        ]
      : []),
    ...(takesIdempotencyKey(route, ownUnitOfWork)
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            ...describedAs('Idempotency-Key'),
            schema: { type: 'string', maxLength: 200 },
          },
        ]
      : []),
    ...(conditions.shownBy(route) ? [conditionHeader('If-Match')] : []),
    ...(conditions.isShown(route) ? [conditionHeader('If-None-Match')] : []),
  ];
  return {
    operationId,
    tags: operationId.split('.', 1),
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    description: [route.description, accessOf(route, permission)]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    ...(permission !== undefined && { 'x-permission': permission }),
    ...(permission !== undefined && route.fresh && { 'x-irreversible': true }),
    ...(route.isBatchable && { 'x-together': true }),
    ...(mayWait && { 'x-approval': true }),
    security: security(route, permission),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.raw
      ? {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              route.raw.types.map((type) => [type, { schema: bodyOf(type, schemas.edition) }]),
            ),
          },
        }
      : {}),
    ...(!inQuery && fields.length > 0
      ? {
          requestBody: {
            required: required.some((field) => fields.includes(field)),
            content: {
              'application/json': {
                schema: {
                  ...input,
                  properties: Object.fromEntries(fields.map((field) => [field, properties[field]])),
                  required: required.filter((field) => fields.includes(field)),
                },
              },
            },
          },
        }
      : {}),
    responses: {
      ...(route.output === redirect
        ? { 303: { description: 'Redirects the browser to a page of the console.' } }
        : {
            [String(route.status ?? 200)]: {
              description: 'Success',
              ...(conditions.isShown(route) && { headers: { ETag: { schema: { type: 'string' } } } }),
              content:
                route.output === file
                  ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
                  : {
                      'application/json': {
                        schema: envelope(dataOf(route, operationId, schemas, expandable)),
                      },
                    },
            },
          }),
      default: failure,
    },
  };
}

/** The call that batches reads (batch-reads.ts). */
const batchOperation: Json = {
  operationId: 'together',
  summary: 'Batch reads',
  description: `Up to ${maxBatchedReads} reads in one call, each answered as if it had been sent on its own. Operations that can be batched are marked \`x-together\`.\n\nAccess: that of each read.`,
  parameters: [
    {
      name: 'get',
      in: 'query',
      required: true,
      explode: true,
      description: 'A path below `/api` with its query, such as `/bills?limit=25`.',
      schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: maxBatchedReads },
    },
  ],
  responses: {
    200: {
      description:
        'In the order asked: the status of each, after how many seconds to try again (0: at once), and its envelope.',
      content: {
        'application/json': {
          schema: envelope({
            type: 'array',
            items: {
              type: 'object',
              required: ['status', 'retryAfter', 'body'],
              properties: {
                status: { type: 'integer' },
                retryAfter: { type: 'integer' },
                body: { type: 'object' },
              },
            },
          }),
        },
      },
    },
    default: failure,
  },
};

/** The calls that an Admin can require approval for, and their response in that case. */
export type WaitingCalls = { readonly names: ReadonlySet<string>; readonly answer: z.core.$ZodType };

/**
 * What the document says besides the calls: about the whole API, and how its features are named and grouped
 * (as OpenAPI tags).
 */
export type DocumentAbout = {
  readonly version: string;
  /** In Markdown. */
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly 'x-displayName'?: string }[];
  readonly groups: readonly { readonly name: string; readonly tags: readonly string[] }[];
};

/**
 * Generates the document for all features, in OpenAPI 3.1 unless another version is requested. Schemas
 * registered in `names` are listed once, among its components.
 */
export function openApiDocument(
  features: readonly Feature[],
  about: DocumentAbout,
  permissionOf: PermissionOf,
  names: SchemaNames,
  waiting: WaitingCalls | undefined,
  asked: OpenApiEdition,
): Json {
  const edition: Edition = editions[asked];
  const schemas = schemaMaker(names, edition);
  const conditions = conditionsOf(features);
  const expandable = expandableBy(features);
  const paths: Record<string, Json> = { [`/api${batchReadsPath}`]: { get: batchOperation } };
  for (const feature of features) {
    for (const [name, route] of Object.entries(feature.contract)) {
      const operationId = `${feature.name}.${name}`;
      const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
      paths[path] = {
        ...paths[path],
        [route.method.toLowerCase()]: operation(
          {
            operationId,
            route,
            ownUnitOfWork: feature.ownUnitOfWork.includes(name),
            permission: isOfPeople(route) ? permissionOf(operationId, route) : undefined,
            expandable: expandable(route),
            mayWait: waiting?.names.has(operationId) === true,
          },
          schemas,
          conditions,
        ),
      };
    }
  }
  const waitingSchema = waiting && schemas.of(waiting.answer, 'waiting');
  return {
    openapi: edition.openapi,
    info: {
      title: 'Skytally API',
      version: about.version,
      description: about.description,
      license: edition.license,
    },
    servers: [{ url: '/' }],
    tags: about.tags,
    'x-tagGroups': about.groups,
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A 15-minute access token from logging in or `GET /api/user/session`.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key’s secret. A key with permissions acts for the person who created it, where it has the operation’s `x-permission`. Operations marked `x-irreversible` need a key that allows irreversible calls.',
        },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
      },
      // Described once for all calls: which of them need approval is the operator's choice, and most consoles
      // require it for none.
      ...(waitingSchema && {
        responses: {
          Waiting: {
            description:
              'Operations marked `x-approval` can return this with status 202: nothing has happened yet. The operation runs once another Admin approves it; `GET /api/admin/approvals/{approvalId}` returns its state.',
            content: { 'application/json': { schema: envelope(waitingSchema) } },
          },
        },
      }),
      schemas: {
        ...schemas.components,
        Failure: {
          type: 'object',
          required: ['data', 'isSuccess', 'message', 'code'],
          properties: {
            data: edition.nothing,
            isSuccess: edition.onlyFalse,
            message: { type: 'string' },
            code: { type: 'string' },
            requestId: { type: 'string' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                required: ['field', 'code', 'message'],
                properties: {
                  field: { type: 'string' },
                  code: { type: 'string' },
                  message: { type: 'string' },
                },
              },
            },
          },
        },
      },
    },
  };
}
