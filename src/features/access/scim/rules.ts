// SCIM messages (RFC 7643, RFC 7644): resources, filters, patches, pages and errors. No clock, no database.
import * as z from 'zod/mini';
import { filter, parse, type Filter } from 'scim2-parse-filter';
import { scimPatch, type ScimPatchOperation } from 'scim-patch';

export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const;
export const mostResults = 200;
/** The largest number of people or groups on which a filter is evaluated. */
export const mostFiltered = 5000;
const mostMembers = 5000;
const mostOperations = 1000;

/** The kinds of errors of RFC 7644, 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A rejected request, as a SCIM error. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

/** The body of an error response. */
export function errorBody(status: number, detail: string, scimType: string | undefined): object {
  return {
    schemas: [scimSchemas.error],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail,
  };
}

export type ScimMeta = {
  readonly resourceType: 'User' | 'Group';
  readonly created: Date;
  readonly lastModified: Date;
  readonly location: string;
  readonly version: string;
};
export type ScimUser = {
  readonly schemas: [typeof scimSchemas.user];
  readonly id: string;
  readonly externalId?: string;
  readonly userName: string;
  readonly name: { readonly givenName: string; readonly familyName: string; readonly formatted: string };
  readonly displayName: string;
  readonly emails: readonly { readonly value: string; readonly type: 'work'; readonly primary: true }[];
  readonly active: boolean;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
  readonly meta: ScimMeta;
};
export type ScimGroup = {
  readonly schemas: [typeof scimSchemas.group];
  readonly id: string;
  readonly externalId?: string;
  readonly displayName: string;
  readonly members: readonly { readonly value: string; readonly display?: string }[];
  readonly meta: ScimMeta;
};

const word = (max: number) => z.string().check(z.trim(), z.maxLength(max), z.regex(/^\P{Cc}*$/u));
const maybe = <T extends z.ZodMiniType>(shape: T) => z.optional(z.nullable(shape));
/** Some providers send booleans as strings. */
const flag = z.union([
  z.boolean(),
  z.pipe(
    z.string().check(z.regex(/^(true|false)$/i)),
    z.transform((text: string) => text.toLowerCase() === 'true'),
  ),
]);

/** The attributes of a user that are read; others are ignored, as the standard allows. */
const GivenUser = z.object({
  userName: word(254).check(z.minLength(1)),
  externalId: maybe(word(255)),
  displayName: maybe(word(120)),
  name: maybe(
    z.object({ givenName: maybe(word(120)), familyName: maybe(word(120)), formatted: maybe(word(120)) }),
  ),
  active: maybe(flag),
});
export type GivenUser = {
  readonly userName: string;
  readonly externalId: string | null;
  readonly displayName: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly active: boolean;
};
const GivenGroup = z.object({
  displayName: word(200).check(z.minLength(1)),
  externalId: maybe(word(255)),
  members: maybe(z.array(z.object({ value: z.string() })).check(z.maxLength(mostMembers))),
});
export type GivenGroup = {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly string[];
};

function read<T extends z.ZodMiniType>(shape: T, body: unknown): z.output<T> {
  const result = z.safeParse(shape, body);
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join('.') ?? '';
  throw new ScimError(
    400,
    place === '' ? 'The body must be a JSON object.' : `The attribute ${place} is missing or malformed.`,
    'invalidValue',
  );
}

/** Reads a user from a body, or from a patched resource. @throws ScimError */
export function readUser(body: unknown): GivenUser {
  const given = read(GivenUser, body);
  const [givenName, familyName] = [given.name?.givenName ?? '', given.name?.familyName ?? ''];
  return {
    userName: given.userName.toLowerCase(),
    externalId: given.externalId || null,
    displayName:
      given.displayName ||
      given.name?.formatted ||
      [givenName, familyName].filter((part) => part !== '').join(' ') ||
      (given.userName.split('@')[0] ?? given.userName),
    givenName,
    familyName,
    active: given.active ?? true,
  };
}

/** Reads a group from a body, or from a patched resource. @throws ScimError */
export function readGroup(body: unknown): GivenGroup {
  const given = read(GivenGroup, body);
  return {
    displayName: given.displayName,
    externalId: given.externalId || null,
    members: [...new Set((given.members ?? []).map(({ value }) => value))],
  };
}

const Patch = z.object({
  schemas: z.array(z.string()).check(z.refine((schemas) => schemas.includes(scimSchemas.patch))),
  Operations: z
    .array(
      z.object({
        op: z.string().check(z.regex(/^(add|remove|replace)$/i)),
        path: z.optional(z.string().check(z.maxLength(500))),
        value: z.optional(z.unknown()),
      }),
    )
    .check(z.minLength(1), z.maxLength(mostOperations)),
});
/** Patch paths address properties of objects: they must not reach a prototype. */
const forbiddenPath = /__proto__|constructor|prototype/i;
const paths = /^(urn:[\w:.-]+:)?[a-z$][\w$-]*(\[[^\]]*\])?(\.[a-z][\w-]*)?$/i;

/** Applies a patch to a resource (RFC 7644, 3.5.2). @throws ScimError */
export function patched<T extends ScimUser | ScimGroup>(resource: T, body: unknown): unknown {
  const { Operations } = read(Patch, body);
  const operations = Operations.map(({ op, path, value }): ScimPatchOperation => {
    if (path !== undefined && (forbiddenPath.test(path) || !paths.test(path)))
      throw new ScimError(400, `The path ${path} is malformed.`, 'invalidPath');
    if (op.toLowerCase() === 'remove') {
      if (path === undefined) throw new ScimError(400, 'Remove takes a path.', 'noTarget');
      return { op: 'remove', path, ...(value !== undefined && { value: memberValues(path, value) }) };
    }
    if (path === undefined && (typeof value !== 'object' || value === null || Array.isArray(value)))
      throw new ScimError(400, 'An operation without a path takes an object.', 'invalidValue');
    return {
      op: op.toLowerCase() === 'add' ? 'add' : 'replace',
      ...(path !== undefined && { path }),
      value: memberValues(path, value),
    };
  });
  try {
    return scimPatch({ ...resource, schemas: [...resource.schemas] }, operations, {
      mutateDocument: false,
      treatMissingAsAdd: true,
    });
  } catch (error) {
    const type = error instanceof Error && 'scimCode' in error ? String(error.scimCode) : '';
    const known = (['invalidPath', 'noTarget', 'invalidFilter', 'invalidValue'] as const).find(
      (each) => each === type,
    );
    throw new ScimError(
      400,
      error instanceof Error ? error.message.slice(0, 300) : 'The patch cannot be applied.',
      known ?? 'invalidSyntax',
    );
  }
}

/** Reduces members to their ids, so that they are compared by id only. */
function memberValues(path: string | undefined, value: unknown): unknown {
  const ids = (list: unknown): unknown =>
    Array.isArray(list)
      ? list.map((each: unknown) =>
          typeof each === 'object' && each !== null && 'value' in each ? { value: each.value } : each,
        )
      : list;
  if (path?.toLowerCase() === 'members') return ids(value);
  if (path !== undefined || typeof value !== 'object' || value === null || !('members' in value))
    return value;
  return { ...value, members: ids(value.members) };
}

/** A parsed filter: the value of one attribute, which can be looked up, or anything else. */
export type Asked =
  | { readonly is: 'all' }
  | { readonly is: 'one'; readonly attribute: string; readonly value: string }
  | { readonly is: 'some'; readonly matches: (resource: ScimUser | ScimGroup) => boolean };

const lookedUp = ['id', 'username', 'externalid', 'displayname'];

/** Parses a filter (RFC 7644, 3.4.2.2). @throws ScimError */
export function readFilter(text: string | undefined): Asked {
  if (text === undefined || text.trim() === '') return { is: 'all' };
  if (text.length > 500 || forbiddenPath.test(text))
    throw new ScimError(400, 'The filter is malformed.', 'invalidFilter');
  const parsed = parsedFilter(text);
  if (parsed.op === 'eq' && 'compValue' in parsed && typeof parsed.compValue === 'string') {
    const attribute = parsed.attrPath.toLowerCase().replace(/^urn:[^ ]*:/, '');
    if (lookedUp.includes(attribute)) return { is: 'one', attribute, value: parsed.compValue };
  }
  const matches = filter(parsed);
  return { is: 'some', matches };
}

function parsedFilter(text: string): Filter {
  try {
    return parse(text);
  } catch {
    // Whatever error the library reports, this is not a filter.
    throw new ScimError(400, 'The filter is malformed.', 'invalidFilter');
  }
}

/** Reads the range of results that a list returns, counted from 1. @throws ScimError */
export function readPage(query: { readonly startIndex?: string; readonly count?: string }): {
  readonly startIndex: number;
  readonly count: number;
} {
  const number = (text: string | undefined, fallback: number): number => {
    if (text === undefined) return fallback;
    if (!/^-?\d{1,9}$/.test(text))
      throw new ScimError(400, 'startIndex and count are whole numbers.', 'invalidValue');
    return Number.parseInt(text, 10);
  };
  // Values below the minimum are raised to it (RFC 7644, 3.4.2.4).
  return {
    startIndex: Math.max(1, number(query.startIndex, 1)),
    count: Math.min(mostResults, Math.max(0, number(query.count, 100))),
  };
}

/** The body of one page of a list. */
export function listBody(
  resources: readonly object[],
  page: { readonly startIndex: number; readonly total: number },
): object {
  return {
    schemas: [scimSchemas.list],
    totalResults: page.total,
    startIndex: page.startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
