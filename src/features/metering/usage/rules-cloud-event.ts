// Checks that a JSON object is a CloudEvent 1.0
// (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md), attribute by attribute.

/** The maximum length of an attribute that the database stores. */
const longestText = 300;
const required = ['specversion', 'id', 'source', 'type'] as const;
const optional = ['subject', 'datacontenttype', 'dataschema'] as const;
const looked: ReadonlySet<string> = new Set([...required, ...optional, 'data', 'data_base64']);
const usualType = 'application/json';
/**
 * Whether PostgreSQL can store a text: it must contain no NUL and no lone surrogates, which would be stored
 * as a different character.
 */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

/** The invalid attribute and the rule it breaks; the message is built from both (`usage.attribute_*`). */
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

/**
 * The specification forbids control characters in texts: a line break in a name could make two events one.
 */
const hasForbidden = (text: string): boolean =>
  !plainPattern.test(text) && (forbiddenPattern.test(text) || !text.isWellFormed());

/** Returns the rule that a text attribute breaks; undefined if it is valid. */
function textRule(value: unknown): AttributeIssue['rule'] | undefined {
  if (typeof value !== 'string') return 'text';
  if (value === '') return 'empty';
  if (value.length > longestText) return 'long';
  return hasForbidden(value) ? 'characters' : undefined;
}

/**
 * Whether a value is valid for an attribute of any type: a Boolean, a 32-bit Integer or a String, as JSON
 * writes them.
 */
const isAttribute = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 31);

/**
 * Returns the first invalid attribute; undefined if all are valid. A null attribute counts as missing.
 * `source` is not required to be a strict URI reference: gateways send plain names, and it is only used as a
 * name.
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
    // Skips the attributes checked above: every event of every batch passes here.
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
