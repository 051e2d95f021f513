// Validation of an assertion apart from its signature, which the library checks (OASIS saml-profiles-2.0-os,
// 4.1.4). No clock, no database.
import * as z from 'zod/mini';

/** Allowed clock skew. */
export const samlToleranceSeconds = 60;
/** An older assertion is rejected, even if it claims to be valid for longer. */
export const oldestAssertionSeconds = 3600;
/** How long a sign-in that began here waits for the provider's answer. */
export const samlRequestMinutes = 15;
/** How long an accepted answer waits for its browser. */
export const companyTicketMinutes = 2;
/** The longest accepted answer of a provider, decoded, in characters. */
export const longestAnswer = 200_000;
const deepestAnswer = 40;
const mostElements = 3000;

const sha2 = ['sha256', 'sha384', 'sha512'];
/** Every algorithm that an answer may use. SHA-1, HMAC and encryption are excluded. */
const algorithms: ReadonlySet<string> = new Set([
  ...sha2.map((name) => `http://www.w3.org/2001/04/xmldsig-more#rsa-${name}`),
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
]);

/**
 * The forbidden construct in an answer's text, checked before any parser reads it; undefined when there is
 * none. Document types define entities, comments and CDATA split texts in ways that parsers disagree about,
 * and no provider needs them.
 */
export function textProblem(xml: string): string | undefined {
  if (xml.length > longestAnswer) return 'longer than an answer may be';
  if (xml.includes('<!')) return 'has a document type, a comment or CDATA';
  if (xml.replace(/^\uFEFF?<\?xml [^?<>]*\?>/, '').includes('<?')) return 'has a processing instruction';
  if (!isShallow(xml)) return 'has too many elements, or nests them too deep';
  const used = [...xml.matchAll(/Algorithm\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  const wrong = used.find((each) => !algorithms.has(each));
  return wrong === undefined ? undefined : `algorithm ${wrong.slice(0, 100)}`;
}

/**
 * Whether nesting and element count are small. Deep nesting costs the sender nothing but takes parsers
 * seconds. Real answers have 10 levels and 100 elements.
 */
function isShallow(xml: string): boolean {
  let depth = 0;
  let elements = 0;
  for (const [tag] of xml.matchAll(/<[^<>]*>?/g)) {
    if (tag.startsWith('<?')) continue;
    if (tag.startsWith('</')) depth--;
    else {
      elements++;
      if (!tag.endsWith('/>')) depth++;
    }
    if (depth > deepestAnswer || elements > mostElements) return false;
  }
  return true;
}

const leaf = z.union([z.string(), z.object({ _: z.optional(z.string()) })]);
const one = <T extends z.ZodMiniType>(shape: T) => z.array(shape).check(z.length(1));
const optionalTime = z.optional(z.string());

/** An assertion as the library parses it from the signed bytes: text is `_`, attributes are `$`. */
const ParsedAssertion = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().check(z.minLength(1), z.maxLength(300)), IssueInstant: z.string() }),
    Issuer: one(leaf),
    Subject: one(
      z.object({
        NameID: one(z.object({ _: z.string(), $: z.optional(z.object({ Format: z.optional(z.string()) })) })),
        SubjectConfirmation: z.array(
          z.object({
            $: z.object({ Method: z.string() }),
            SubjectConfirmationData: z.optional(
              one(
                z.object({
                  $: z.object({
                    Recipient: z.optional(z.string()),
                    NotBefore: optionalTime,
                    NotOnOrAfter: optionalTime,
                    InResponseTo: z.optional(z.string()),
                  }),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
    Conditions: one(
      z.object({
        $: z.optional(z.object({ NotBefore: optionalTime, NotOnOrAfter: optionalTime })),
        AudienceRestriction: z.array(z.object({ Audience: z.array(leaf) })).check(z.minLength(1)),
      }),
    ),
    AttributeStatement: z.optional(
      z.array(
        z.union([
          z.string(),
          z.object({
            Attribute: z.optional(
              z.array(
                z.object({
                  $: z.object({ Name: z.string(), FriendlyName: z.optional(z.string()) }),
                  AttributeValue: z.optional(z.array(leaf)),
                }),
              ),
            ),
          }),
        ]),
      ),
    ),
  }),
});
type Parsed = z.output<typeof ParsedAssertion>['Assertion'];

const textOf = (value: z.output<typeof leaf> | undefined): string =>
  (typeof value === 'string' ? value : (value?._ ?? '')).trim();

/** A person as described by a provider. */
export type CompanyPerson = {
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
};
export type AcceptedAssertion = {
  readonly assertionId: string;
  /** The request that it answers; null when the provider initiated the sign-in. */
  readonly inResponseTo: string | null;
  /** How long the assertion's id must be remembered to reject a replay. */
  readonly rememberUntil: Date;
  readonly person: CompanyPerson;
};
export type SamlExpectation = {
  /** The provider's entity id. */
  readonly issuer: string;
  readonly audience: string;
  readonly acsUrl: string;
  readonly now: Date;
  readonly attributes: { readonly email: string; readonly name: string; readonly groups: string };
};

/** Why an assertion is rejected; `isLate` when only its times are wrong. */
export type SamlProblem = { readonly problem: string; readonly isLate?: true };

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Reads an assertion with a verified signature, and checks everything else in it. */
export function readAssertion(
  parsed: unknown,
  expected: SamlExpectation,
): { readonly accepted: AcceptedAssertion } | SamlProblem {
  const read = z.safeParse(ParsedAssertion, parsed);
  if (!read.success)
    return { problem: `malformed at ${read.error.issues[0]?.path.slice(1).join('.') ?? 'its root'}` };
  const assertion = read.data.Assertion;
  if (textOf(assertion.Issuer[0]) !== expected.issuer) return { problem: 'another issuer' };
  const restrictions = assertion.Conditions[0]?.AudienceRestriction ?? [];
  if (!restrictions.every(({ Audience }) => Audience.some((each) => textOf(each) === expected.audience)))
    return { problem: 'another audience' };
  const late = timeProblem(assertion, expected.now);
  if (late !== undefined) return late;
  const confirmation = confirmationOf(assertion, expected);
  if ('problem' in confirmation) return confirmation;
  const nameId = assertion.Subject[0]?.NameID[0];
  const subject = nameId?._.trim() ?? '';
  if (subject === '' || subject.length > 255) return { problem: 'no name id' };
  if (nameId?.$?.Format === transient)
    return { problem: 'a transient name id, which is another at each sign-in' };
  const issuedAt = Date.parse(assertion.$.IssueInstant);
  return {
    accepted: {
      assertionId: assertion.$.ID,
      inResponseTo: confirmation.inResponseTo,
      rememberUntil: new Date(issuedAt + (oldestAssertionSeconds + 2 * samlToleranceSeconds) * 1000),
      person: personOf(assertion, subject, expected.attributes),
    },
  };
}

/** Parses xs:dateTime in UTC, as SAML requires; NaN for any other text. */
function momentOf(text: string | undefined): number {
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

/** Whether a time lies in a range with optional ends; a malformed end puts it outside. */
function isWithin(now: Date, from: string | undefined, until: string | undefined): boolean {
  const tolerance = samlToleranceSeconds * 1000;
  return (
    (from === undefined || momentOf(from) <= now.getTime() + tolerance) &&
    (until === undefined || momentOf(until) > now.getTime() - tolerance)
  );
}

function timeProblem(assertion: Parsed, now: Date): SamlProblem | undefined {
  const issuedAt = momentOf(assertion.$.IssueInstant);
  const ageSeconds = (now.getTime() - issuedAt) / 1000;
  if (!(ageSeconds >= -samlToleranceSeconds && ageSeconds <= oldestAssertionSeconds + samlToleranceSeconds))
    return { problem: 'made too long ago, or in the future', isLate: true };
  const times = assertion.Conditions[0]?.$;
  return isWithin(now, times?.NotBefore, times?.NotOnOrAfter)
    ? undefined
    : { problem: 'not valid yet, or not any more', isLate: true };
}

/** The bearer confirmation, which must name this console as recipient and must expire. */
function confirmationOf(
  assertion: Parsed,
  { acsUrl, now }: SamlExpectation,
): { readonly inResponseTo: string | null } | SamlProblem {
  const all = (assertion.Subject[0]?.SubjectConfirmation ?? [])
    .filter(({ $ }) => $.Method === bearer)
    .flatMap(({ SubjectConfirmationData }) => SubjectConfirmationData ?? [])
    .map(({ $ }) => $);
  const ours = all.filter(({ Recipient }) => Recipient === acsUrl);
  if (ours.length === 0) return { problem: 'another recipient' };
  const inTime = ours.find(
    ({ NotBefore, NotOnOrAfter }) => NotOnOrAfter !== undefined && isWithin(now, NotBefore, NotOnOrAfter),
  );
  return inTime
    ? { inResponseTo: inTime.InResponseTo ?? null }
    : { problem: 'its confirmation has no end, or has ended', isLate: true };
}

const mailNames = [
  'email',
  'mail',
  'emailaddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
];
const displayNames = [
  'displayname',
  'name',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'cn',
];
const groupNames = [
  'groups',
  'group',
  'memberof',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  'http://schemas.xmlsoap.org/claims/group',
];

/** The values of the attribute that an Admin chose, or of the first common one that is present. */
function valuesOf(assertion: Parsed, chosen: string, usual: readonly string[]): string[] {
  const attributes = (assertion.AttributeStatement ?? []).flatMap((statement) =>
    typeof statement === 'string' ? [] : (statement.Attribute ?? []),
  );
  const named = (name: string): string[] =>
    attributes
      .filter(
        ({ $ }) =>
          $.Name === name || $.FriendlyName === name || (chosen === '' && $.Name.toLowerCase() === name),
      )
      .flatMap(({ AttributeValue }) => (AttributeValue ?? []).map(textOf))
      .filter((value) => value !== '');
  if (chosen !== '') return named(chosen);
  return usual.map(named).find((values) => values.length > 0) ?? [];
}

function personOf(assertion: Parsed, subject: string, chosen: SamlExpectation['attributes']): CompanyPerson {
  const [mail] = valuesOf(assertion, chosen.email, mailNames);
  const [name] = valuesOf(assertion, chosen.name, displayNames);
  return {
    subject,
    // Many providers send the e-mail address only as the name id.
    email: mail ?? (chosen.email === '' && subject.includes('@') ? subject : ''),
    name: (name ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 120),
    groups: valuesOf(assertion, chosen.groups, groupNames).slice(0, 1000),
  };
}
