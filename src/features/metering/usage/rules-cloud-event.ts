// What makes a JSON object a CloudEvent 1.0 (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md), attribute by attribute.

/** The longest attribute that the database stores. */
const longestText = 300;
const required = ['specversion', 'id', 'source', 'type'] as const;
const optional = ['subject', 'datacontenttype', 'dataschema'] as const;
const looked: ReadonlySet<string> = new Set([...required, ...optional, 'data', 'data_base64']);
const usualType = 'application/json';
/**
 * What PostgreSQL can store as text: no NUL, and no lone surrogates, which would be stored as another
 * character.
 */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

/** The attribute that is wrong, and the rule it breaks: with them a sentence is made (`usage.attribute_*`). */
export type AttributeIssue = {
  readonly attribute: string;
  readonly rule:
    | 'object'
    | 'name'
    | 'missing'
    | 'empty'
    | 'text'
    | 'long'
    | 'characters'
    | 'version'
    | 'value'
    | 'form'
    | 'both'
    | 'time'
    | 'data';
};

const namePattern = /^[a-z0-9]+$/;
const plainPattern = /^[\x20-\x7e]*$/;
const forbiddenPattern = /[\p{Cc}\p{Noncharacter_Code_Point}]/u;
const mediaTypePattern = /^[\w!#$&^.+-]+\/([\w!#$&^.+-]+)\s*(;.*)?$/;
const absolutePattern = /^[a-z][a-z0-9+.-]*:/i;

/** Texts of the specification have no control characters: a line break in a name could make two events one. */
const hasForbidden = (text: string): boolean =>
  !plainPattern.test(text) && (forbiddenPattern.test(text) || !text.isWellFormed());

/** What is wrong with a present text attribute. */
function textRule(value: unknown): AttributeIssue['rule'] | undefined {
  if (typeof value !== 'string') return 'text';
  if (value === '') return 'empty';
  if (value.length > longestText) return 'long';
  return hasForbidden(value) ? 'characters' : undefined;
}

/** Whether a value can be an attribute of any type: Boolean, a 32-bit Integer or a String, as JSON writes them. */
const isAttribute = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 31);

/**
 * The first attribute that is wrong; undefined when all are right. An attribute that is null counts as
 * missing. A source need not be a URI reference in every letter: gateways write names, and a name is all it
 * is used for.
 */
export function attributeIssue(event: Readonly<Record<string, unknown>>): AttributeIssue | undefined {
  for (const attribute of required) {
    const value = event[attribute];
    const rule = value === undefined || value === null ? 'missing' : textRule(value);
    if (rule) return { attribute, rule };
  }
  if (event['specversion'] !== '1.0') return { attribute: 'specversion', rule: 'version' };
  for (const attribute of optional) {
    const value = event[attribute];
    const rule = value === undefined || value === null ? undefined : textRule(value);
    if (rule) return { attribute, rule };
  }
  const { datacontenttype, dataschema, data, data_base64: binary } = event;
  if (
    typeof datacontenttype === 'string' &&
    datacontenttype !== usualType &&
    !mediaTypePattern.test(datacontenttype)
  )
    return { attribute: 'datacontenttype', rule: 'form' };
  if (typeof dataschema === 'string' && !absolutePattern.test(dataschema))
    return { attribute: 'dataschema', rule: 'form' };
  if (data !== undefined && binary !== undefined && binary !== null)
    return { attribute: 'data_base64', rule: 'both' };
  for (const attribute in event) {
    // Attributes that were checked above are skipped, because every event of every batch passes here.
    if (!looked.has(attribute)) {
      const rule = extensionRule(attribute, event[attribute]);
      if (rule) return { attribute: [...attribute].slice(0, 60).join(''), rule };
    }
  }
  return undefined;
}

function extensionRule(attribute: string, value: unknown): AttributeIssue['rule'] | undefined {
  if (value === null || value === undefined) return undefined;
  if (!namePattern.test(attribute)) return 'name';
  if (isAttribute(value)) return undefined;
  return attribute === 'time' ? 'time' : 'value';
}

/** Whether an event's data is JSON: declared as JSON, or without a declared type. */
export function isJsonData({
  datacontenttype,
  data,
  data_base64: binary,
}: Readonly<Record<string, unknown>>): boolean {
  if (binary !== undefined && binary !== null) return false;
  if (data === undefined || typeof datacontenttype !== 'string' || datacontenttype === usualType) return true;
  const subtype = mediaTypePattern.exec(datacontenttype)?.[1]?.toLowerCase() ?? '';
  return subtype === 'json' || subtype.endsWith('+json');
}
