// Validates the provider's answers in the browser (R-AUTH-07, RFC 9207), before and after the library reads
// them.

/** R-AUTH-08: a sign-in started longer ago than this has expired. */
export const staleStateSeconds = 900;
/** The specification's messages for problems with a provider. */
export const providerErrors = [
  'Network timed out',
  'IFrame timed out without a response',
  'State does not match',
  'No matching state found in storage',
  'Popup blocked by user',
  'Popup closed',
] as const;
export type ProviderError = (typeof providerErrors)[number];

type Pairs = readonly (readonly [name: string, value: string])[];
export type Stored = { readonly created: number; readonly authority: string; readonly client_id: string };
export type Expected = {
  readonly issuer: string;
  readonly clientId: string;
  /** Whether the provider declares that its answers always contain the issuer. */
  readonly mustNameIssuer: boolean;
  /** What this browser stored about the sign-in that the answer names; undefined when there is none. */
  readonly stored: Stored | undefined;
  /** Whether another sign-in is in progress in this browser. */
  readonly hasOther: boolean;
  readonly nowSeconds: number;
};

/** What is wrong with an answer's parameters; undefined when the library may process it. */
export function answerProblem(params: Pairs, expected: Expected): string | undefined {
  const names = params.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `Repeated parameter: ${repeated.slice(0, 40)}`;
  const value = (name: string): string | undefined => params.find(([known]) => known === name)?.[1];
  // Only the code flow is supported: tokens in the address could come from anywhere.
  if (['access_token', 'id_token', 'token'].some((name) => names.includes(name)))
    return 'Tokens in the address are not accepted';
  const { stored } = expected;
  if (value('state') === undefined || stored === undefined)
    return (
      expected.hasOther && value('state') !== undefined
        ? 'State does not match'
        : 'No matching state found in storage'
    ) satisfies ProviderError;
  if (expected.nowSeconds - stored.created > staleStateSeconds)
    return 'No matching state found in storage' satisfies ProviderError;
  if (stored.authority !== expected.issuer) return 'Authority does not match';
  if (stored.client_id !== expected.clientId) return 'Client does not match';
  const issuer = value('iss');
  if (issuer === undefined ? expected.mustNameIssuer : issuer !== expected.issuer)
    return 'Issuer does not match';
  return undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * The problem with an ID token's claims and the userinfo's subject; undefined when there is none. The token
 * came directly from the provider.
 */
export function idTokenProblem(
  claims: Claims,
  infoSubject: unknown,
  expected: {
    readonly issuer: string;
    readonly clientId: string;
    readonly nonce: string;
    readonly nowSeconds: number;
  },
): string | undefined {
  if (typeof claims['sub'] !== 'string' || claims['sub'] === '') return 'ID Token is missing a subject claim';
  if (claims['iss'] !== expected.issuer) return 'Issuer of the ID Token does not match';
  const audience = Array.isArray(claims['aud']) ? (claims['aud'] as unknown[]) : [claims['aud']];
  if (!audience.includes(expected.clientId) || (audience.length > 1 && claims['azp'] !== expected.clientId))
    return 'Audience of the ID Token does not match';
  if (claims['nonce'] !== expected.nonce) return 'Nonce does not match';
  if (typeof claims['exp'] !== 'number' || claims['exp'] + 60 < expected.nowSeconds)
    return 'ID Token is past its end';
  if (infoSubject !== claims['sub']) return 'Subject of the user info does not match';
  return undefined;
}

/** The specification's text for an error of the library, or the library's own text. */
export function providerErrorText(message: string): string {
  if (/popup.*block|block.*popup/i.test(message)) return 'Popup blocked by user' satisfies ProviderError;
  if (/popup closed/i.test(message)) return 'Popup closed' satisfies ProviderError;
  return message.slice(0, 300);
}
