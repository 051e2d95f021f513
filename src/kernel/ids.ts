// Ids: a prefix that names the entity, and 128 time-ordered bits. The prefix table doubles as the glossary of
// entities.

/** Every entity that has an id → its id prefix. */
export const idPrefixes = {
  usr: 'user',
  avt: 'picture of a person',
  vas: 'view as a user',
  ubt: 'batch of users',
  uim: 'import of users',
  rol: 'custom role',
  org: 'organization',
  ses: 'session',
  key: 'API key',
  inv: 'invitation',
  plk: 'link to the portal',
  psk: 'passkey',
  ext: 'external identity',
  idp: 'identity provider',
  mdm: 'mail domain',
  scg: 'group of an identity provider',
  ntf: 'notification',
  ndl: 'deletion of notifications',
  psu: 'push subscription',
  whe: 'webhook endpoint',
  whd: 'webhook delivery',
  aex: 'destination of the audit log',
  ann: 'announcement',
  viw: 'saved view',
  svc: 'service',
  mtr: 'meter',
  prv: 'price version',
  sub: 'subscription',
  res: 'quota reservation',
  rai: 'request for a higher quota',
  bud: 'budget',
  rej: 'rejected event',
  con: 'connector',
  cpl: 'pull of a connector',
  csr: 'source of cost files',
  cim: 'import of cost',
  est: 'event stream',
  esr: 'rejected message of an event stream',
  rcr: 'reconciliation run',
  rcf: 'reconciliation finding',
  rci: 'ignored finding',
  bil: 'bill',
  cbl: 'consolidated bill',
  rtb: 'bill of a reseller to a customer',
  rcn: 'credit note of a reseller',
  lgo: 'logo of a reseller',
  crn: 'credit note',
  dsc: 'discount',
  rdm: 'redemption of a discount',
  ooc: 'one-off charge',
  msp: 'minimum monthly spend',
  cgr: 'credit grant',
  cgm: 'movement of a credit grant',
  cmt: 'commitment',
  itt: 'threshold of interim bills',
  crl: 'credit limit',
  opy: 'payer of an organization',
  spy: 'payer of a subscription',
  qot: 'quote',
  bno: 'note on a bill',
  run: 'month close run',
  txr: 'tax rate',
  vck: 'check of a VAT id',
  ein: 'statutory invoice',
  eal: 'allowance on a statutory invoice',
  etr: 'track of statutory invoice numbers',
  pay: 'payment',
  ppl: 'payment plan',
  lfe: 'late fee',
  crd: 'saved card',
  cst: 'setup of a card',
  rfd: 'refund',
  dsp: 'dispute of a payment',
  dsm: 'movement of a dispute',
  bst: 'bank statement',
  bkr: 'row of a bank statement',
  bka: 'booking of a bank row',
  reh: 'dunning rehearsal',
  ltx: 'ledger transaction',
  rev: 'recognition of revenue',
  fxr: 'exchange rate',
  jmp: 'account in the accounting program',
  jex: 'export of a journal',
  jfl: 'file of a journal',
  chk: 'check of the books',
  pak: 'month pack',
  bak: 'backup',
  sbx: 'sandbox',
  lic: 'licence',
  apr: 'request for approval',
  pex: 'export of personal data',
  ers: 'erasure of personal data',
  dxp: 'nightly export',
  imp: 'import',
  aud: 'audit row',
  out: 'outbox message',
  req: 'request',
} as const;
export type IdPrefix = keyof typeof idPrefixes;
declare const idBrand: unique symbol;
/** An opaque, time-ordered id of one kind of entity. */
export type Id<P extends IdPrefix> = string & { readonly [idBrand]: P };

// Crockford's base32 in lower case: it preserves the order of the bits, so ids sort by time as plain text.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Encodes an id as 26 characters: 48 bits of milliseconds, then 80 random bits. `unixMs` is milliseconds
 * since 1970; `random` must hold 10 unpredictable bytes.
 */
export function encodeId<P extends IdPrefix>(prefix: P, unixMs: number, random: Uint8Array): Id<P> {
  const byte = (index: number): number => random[index] ?? 0;
  // Encodes 20 bits at a time (the 80 random bits are four groups of four characters), because every request
  // creates an id.
  const letters = (index: number): string =>
    digits((byte(index) << 12) | (byte(index + 1) << 4) | (byte(index + 2) >> 4), 4) +
    digits(((byte(index + 2) & 15) << 16) | (byte(index + 3) << 8) | byte(index + 4), 4);
  return `${prefix}_${digits(unixMs, 10)}${letters(0)}${letters(5)}` as Id<P>;
}

/** The last `count` base32 digits of an integer. */
function digits(value: number, count: number): string {
  let text = '';
  let rest = value;
  for (let position = 0; position < count; position++) {
    text = (alphabet[rest % 32] ?? '') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The pattern of ids with a prefix. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);
}

const anyId = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/;
/** Whether a value is an id of any kind. */
export function isSomeId(value: unknown): value is Id<IdPrefix> {
  const prefix = typeof value === 'string' ? anyId.exec(value)?.[1] : undefined;
  return prefix !== undefined && prefix in idPrefixes;
}

/** Whether a value is an id with the given prefix. */
export function isId<P extends IdPrefix>(prefix: P, value: unknown): value is Id<P> {
  return typeof value === 'string' && idPattern(prefix).test(value);
}
