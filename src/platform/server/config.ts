// The only place that reads the environment: parsed once, frozen, with a default for every setting.
import { mkdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { placeIn, s3PlaceOf, type FilesPlace } from './files/store/files-place.ts';
import { credentialsHidden } from './log.ts';

const port = z.string().check(
  z.regex(/^\d{1,5}$/),
  z.refine((text) => Number.parseInt(text, 10) <= 65_535),
);
const url = z.string().check(z.refine((text) => URL.canParse(text)));
/** Two amounts separated by a hyphen, the smaller one first. */
const amountRange = z.string().check(
  z.refine((text) => {
    const [min, max] = /^\d{1,9}-\d{1,9}$/.test(text) ? text.split('-').map(Number) : [];
    return min !== undefined && max !== undefined && min > 0 && min <= max;
  }),
);
/** Host names, optionally with ports, separated by commas. */
const hostList = z.string().check(z.regex(/^[a-z0-9.-]+(:\d+)?(,[a-z0-9.-]+(:\d+)?)*$/i));
/** Like `hostList`, but also accepts IPv6 addresses in brackets. */
const addressList = z
  .string()
  .check(z.regex(/^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?(,([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?)*$/i));
/** Whether a key could come from a random generator; rejects, for example, one repeated letter. */
function isVaried(text: string): boolean {
  return new Set(text).size >= 8;
}
const names = {
  NODE_ENV: z.prefault(z.enum(['production', 'development', 'test']), 'production'),
  HOST: z.prefault(z.string().check(z.minLength(1)), '127.0.0.1'),
  PORT: z.prefault(port, '3000'),
  PUBLIC_URL: z.optional(url),
  DATA_DIR: z.prefault(z.string().check(z.minLength(1)), './data'),
  SECRET_KEY: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{32,500}$/), z.refine(isVaried))),
  FILES_URL: z.optional(z.string().check(z.refine((text) => s3PlaceOf(text) !== undefined))),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
  DATABASE_DIRECT_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
  DATABASE_READ_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
  SETUP_TOKEN: z.optional(z.string().check(z.minLength(16))),
  OIDC_ISSUER: z.optional(url),
  OIDC_CLIENT_ID: z.optional(z.string().check(z.minLength(1))),
  OIDC_AUDIENCE: z.optional(z.string().check(z.minLength(1))),
  OIDC_ROLE_CLAIM: z.prefault(z.string().check(z.minLength(1)), 'role'),
  OIDC_ORGANIZATION_CLAIM: z.prefault(z.string().check(z.minLength(1)), 'organization'),
  OIDC_ENDPOINT_HOSTS: z.optional(hostList),
  DNS_SERVERS: z.optional(addressList),
  GOOGLE_CLIENT_ID: z.optional(z.string().check(z.minLength(1))),
  GOOGLE_JWKS_URL: z.optional(url),
  GOOGLE_SCRIPT_URL: z.prefault(url, 'https://accounts.google.com/gsi/client'),
  GOOGLE_HOSTED_DOMAINS: z.optional(hostList),
  SMTP_URL: z.optional(z.string().check(z.regex(/^smtps?:\/\//))),
  MAIL_FROM: z.optional(z.string().check(z.regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/))),
  SMS_GATEWAY_URL: z.optional(url),
  SMS_GATEWAY_TOKEN: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,500}$/))),
  STRIPE_SECRET_KEY: z.optional(z.string().check(z.minLength(1))),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string().check(z.minLength(1))),
  STRIPE_API_BASE: z.prefault(url, 'https://api.stripe.com'),
  ECPAY_MERCHANT_ID: z.optional(z.string().check(z.regex(/^\d{1,10}$/))),
  ECPAY_HASH_KEY: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{8,64}$/))),
  ECPAY_HASH_IV: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{8,64}$/))),
  ECPAY_API_BASE: z.prefault(url, 'https://payment.ecpay.com.tw'),
  ECPAY_ATM: z.optional(amountRange),
  ECPAY_CVS: z.optional(amountRange),
  ECPAY_REMEMBER_CARDS: z.prefault(z.enum(['no', 'yes']), 'no'),
  ECPAY_SAVED_CARDS: z.prefault(z.enum(['no', 'yes']), 'no'),
  ECPAY_INVOICE_API_BASE: z.optional(url),
  EZPAY_INVOICE_API_BASE: z.optional(url),
  VIES_API_BASE: z.prefault(url, 'https://ec.europa.eu/taxation_customs/vies/rest-api'),
  BACKUP_DIR: z.optional(z.string().check(z.minLength(1))),
  BACKUP_RECIPIENT: z.optional(z.string().check(z.regex(/^age1[02-9ac-hj-np-z]{58}$/))),
  BACKUP_BEFORE_UPGRADE: z.prefault(z.enum(['make', 'skip']), 'make'),
  IMPORT_DIR: z.optional(z.string().check(z.minLength(1))),
  EVENTS_URL: z.optional(z.string().check(z.regex(/^clickhouses?:\/\/[^\s/]+(\/[\w.-]+)?$/))),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(url),
  MQTT_URL: z.optional(z.string().check(z.regex(/^(mqtts?|wss?):\/\/[^\s/]+/))),
  PRIVATE_HOSTS: z.optional(addressList),
  SOURCE_TIMEOUT: z.prefault(z.string().check(z.regex(/^([1-9]|[1-8]\d|90)$/)), '30'),
  WEBHOOK_LOOPBACK: z.prefault(z.enum(['refuse', 'allow']), 'refuse'),
  LOG_LEVEL: z.prefault(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  TRUST_PROXY: z.optional(z.string().check(z.minLength(1))),
} as const;
type Name = keyof typeof names;
/** Secrets are never shown: responses only say whether one is set. */
const secrets: readonly Name[] = [
  'SECRET_KEY',
  'SETUP_TOKEN',
  'SMS_GATEWAY_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'ECPAY_HASH_KEY',
  'ECPAY_HASH_IV',
];
const known = Object.keys(names) as Name[];

/** Sign-in with Google. Without hosted domains, people of any domain may sign in. */
export type GoogleConfig = {
  readonly clientId: string;
  readonly jwksUrl: string;
  readonly scriptUrl: string;
  readonly hostedDomains: readonly string[];
};
/**
 * An external identity provider. `endpointHosts` are hosts other than the issuer's own that its endpoints may
 * be on.
 */
export type OidcConfig = {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string | undefined;
  readonly roleClaim: string;
  readonly organizationClaim: string;
  readonly endpointHosts: readonly string[];
};

/** Card payments through Stripe. */
export type StripeConfig = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiBase: string;
};
/** An HTTP gateway for text messages; `token` is its bearer token. */
export type SmsConfig = { readonly url: string; readonly token: string | undefined };
/** The minimum and maximum amount of a payment, in whole Taiwan dollars. */
export type AmountRange = { readonly min: bigint; readonly max: bigint };
/**
 * Payments through ECPay, in Taiwan dollars only: by card, and, where the merchant's contract includes them,
 * to virtual accounts (ATM) and at convenience stores (CVS).
 */
export type EcpayConfig = {
  readonly merchantId: string;
  readonly hashKey: string;
  readonly hashIv: string;
  readonly apiBase: string;
  readonly atm: AmountRange | undefined;
  readonly cvs: AmountRange | undefined;
  /** Whether ECPay offers payers to remember their cards; requires that the merchant's contract allows it. */
  readonly remembersCards: boolean;
  /**
   * Whether customers can save cards that bills are charged to automatically (站內付 2.0); requires that the
   * merchant's contract allows it.
   */
  readonly savesCards: boolean;
};

/** Alternative addresses of e-invoice services, for trials and tests. */
export type EInvoiceConfig = {
  readonly ecpayApiBase: string | undefined;
  readonly ezpayApiBase: string | undefined;
};

/** An environment setting as it may be shown: secrets and unset settings have no value; URLs have no passwords. */
export type EnvironmentSetting = {
  readonly name: string;
  readonly isGiven: boolean;
  readonly isSecret: boolean;
  readonly value: string | null;
};

/** The settings of one process. It holds secrets in plain text, so never log it as a whole. */
export type Config = {
  /** All settings as they may be shown, in the order of the documentation. */
  readonly environment: readonly EnvironmentSetting[];
  readonly mode: 'production' | 'development' | 'test';
  readonly host: string;
  readonly port: number;
  /** The URL where browsers reach the console; undefined means http://host:port. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /**
   * Encrypts the installation's secrets, which are then stored in the database; without it they are stored in
   * a file of the data directory.
   */
  readonly secretKey: string | undefined;
  /** Where files are stored: the data directory, or a bucket. */
  readonly files: FilesPlace;
  readonly databaseUrl: string | undefined;
  /** The same database as `databaseUrl`, bypassing a pooler: for LISTEN, session locks and jobs. */
  readonly databaseDirectUrl: string | undefined;
  /** A replica of the database, for reads that may be a few seconds stale. */
  readonly databaseReadUrl: string | undefined;
  readonly setupToken: string | undefined;
  readonly google: GoogleConfig | undefined;
  readonly oidc: OidcConfig | undefined;
  /** The DNS servers queried for the records of mail domains; empty: the system's. */
  readonly dnsServers: readonly string[];
  readonly stripe: StripeConfig | undefined;
  readonly ecpay: EcpayConfig | undefined;
  readonly eInvoices: EInvoiceConfig;
  readonly sms: SmsConfig | undefined;
  /** The service that validates EU VAT ids. */
  readonly viesApiBase: string;
  readonly smtpUrl: string | undefined;
  /** The sender of e-mails, such as `Skytally <no-reply@example.com>`. */
  readonly mailFrom: string;
  /**
   * The folder below which Admins may choose folders to import files from; when unset, imports from folders
   * are off.
   */
  readonly importDir: string | undefined;
  /** A broker run by the operator, from which metering messages are read as well. */
  readonly mqttUrl: string | undefined;
  /** A ClickHouse server that stores past months of raw events; when unset they are stored in files. */
  readonly eventsUrl: string | undefined;
  /** The collector that receives traces and metrics by OTLP over HTTP; when unset nothing is sent. */
  readonly telemetryUrl: string | undefined;
  /**
   * Hosts, optionally with ports, that addresses entered by Admins may use although they are on this machine
   * or in a private network.
   */
  readonly privateHosts: readonly string[];
  /** Time limit for one response of a connector's source. */
  readonly sourceTimeoutMs: number;
  /** Whether webhooks may target this machine, including over plain http: for development and tests only. */
  readonly webhookLoopback: boolean;
  /** Where backups are stored. */
  readonly backupFiles: FilesPlace;
  /**
   * The recipient that backups are encrypted for, instead of the key in the data directory; only its owner
   * can decrypt them.
   */
  readonly backupRecipient: string | undefined;
  /** Whether a start that must change the database makes a backup first. */
  readonly backupBeforeUpgrade: boolean;
  /**
   * The id of the sandbox that this console runs as: it sends nothing to the outside, and keeps its mails in
   * its database. Undefined for the console itself.
   */
  readonly sandboxId: string | undefined;
  readonly logLevel: string;
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted, comma-separated. */
  readonly trustProxy: string | undefined;
};

/** A misspelled or malformed setting; the message names it and says how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The edit distance of two names, for suggesting the intended setting. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * Reads and validates the settings. Creates the data directory (0700). @throws ConfigError that names what is
 * wrong.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  for (const name of Object.keys(env)) {
    if (known.includes(name as Name) || !/^[A-Z][A-Z_]+$/.test(name)) continue;
    // Short names are similar to many others, so they may differ by one letter only; longer ones by two.
    const near = known.find(
      (candidate) =>
        Math.abs(candidate.length - name.length) <= 2 &&
        distance(candidate, name) <= (candidate.length >= 8 ? 2 : 1),
    );
    if (near) throw new ConfigError(`Unknown setting ${name}: did you mean ${near}? Rename it or remove it.`);
  }
  const read = (name: Name): string | undefined => {
    const value = env[name] === '' ? undefined : env[name];
    const result = z.safeParse(names[name] as z.ZodMiniType, value);
    if (!result.success)
      throw new ConfigError(
        `Setting ${name} is malformed (see docs/operator/operations.md for its form). Correct it or remove it.`,
      );
    return result.data as string | undefined;
  };
  for (const name of known) read(name);
  const dataDir = resolve(read('DATA_DIR') ?? './data');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const files: FilesPlace = s3PlaceOf(read('FILES_URL') ?? '') ?? { kind: 'folder', path: dataDir };
  const backupDir = read('BACKUP_DIR');
  return Object.freeze({
    environment: known.map((name) => shown(name, env[name] !== undefined && env[name] !== '', read(name))),
    mode: read('NODE_ENV') as Config['mode'],
    host: read('HOST') ?? '127.0.0.1',
    port: Number.parseInt(read('PORT') ?? '3000', 10),
    publicUrl: read('PUBLIC_URL')?.replace(/\/$/, ''),
    dataDir,
    secretKey: read('SECRET_KEY'),
    files,
    databaseUrl: read('DATABASE_URL'),
    databaseDirectUrl: besidesDatabase(read, 'DATABASE_DIRECT_URL', 'the way past the pooler'),
    databaseReadUrl: besidesDatabase(read, 'DATABASE_READ_URL', 'a replica of the database'),
    setupToken: read('SETUP_TOKEN'),
    google: googleOf(read),
    oidc: oidcOf(read),
    dnsServers: listOf(read('DNS_SERVERS')),
    stripe: stripeOf(read),
    ecpay: ecpayOf(read),
    eInvoices: {
      ecpayApiBase: optionalAddress(read, 'ECPAY_INVOICE_API_BASE'),
      ezpayApiBase: optionalAddress(read, 'EZPAY_INVOICE_API_BASE'),
    },
    sms: smsOf(read),
    viesApiBase: viesOf(read),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM') ?? 'no-reply@localhost',
    importDir: importDirOf(read),
    mqttUrl: read('MQTT_URL'),
    eventsUrl: read('EVENTS_URL'),
    telemetryUrl: read('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/$/, ''),
    privateHosts: listOf(read('PRIVATE_HOSTS')),
    sourceTimeoutMs: Number(read('SOURCE_TIMEOUT')) * 1000,
    webhookLoopback: read('WEBHOOK_LOOPBACK') === 'allow',
    backupFiles:
      backupDir === undefined
        ? placeIn(files, 'backups')
        : { kind: 'folder' as const, path: resolve(backupDir) },
    backupRecipient: read('BACKUP_RECIPIENT'),
    backupBeforeUpgrade: read('BACKUP_BEFORE_UPGRADE') === 'make',
    sandboxId: undefined,
    logLevel: read('LOG_LEVEL') ?? 'info',
    trustProxy: read('TRUST_PROXY'),
  });
}

function shown(name: Name, isGiven: boolean, value: string | undefined): EnvironmentSetting {
  const isSecret = secrets.includes(name);
  return {
    name,
    isGiven,
    isSecret,
    value: isSecret || value === undefined ? null : credentialsHidden(value),
  };
}

type ReadVariable = (name: Name) => string | undefined;
const listOf = (text: string | undefined): readonly string[] => text?.toLowerCase().split(',') ?? [];

function importDirOf(read: ReadVariable): string | undefined {
  const folder = read('IMPORT_DIR');
  return folder === undefined ? undefined : resolve(folder);
}

/** A direct connection bypasses a pooler, and a replica copies a server; the embedded database has neither. */
function besidesDatabase(read: ReadVariable, name: Name, is: string): string | undefined {
  const url = read(name);
  if (url !== undefined && read('DATABASE_URL') === undefined)
    throw new ConfigError(`${name} is ${is} that DATABASE_URL names: set DATABASE_URL, too, or remove it.`);
  return url;
}

function googleOf(read: ReadVariable): GoogleConfig | undefined {
  const clientId = read('GOOGLE_CLIENT_ID');
  if (clientId === undefined) return undefined;
  const jwksUrl = read('GOOGLE_JWKS_URL') ?? 'https://www.googleapis.com/oauth2/v3/certs';
  const scriptUrl = read('GOOGLE_SCRIPT_URL') ?? '';
  for (const [name, value] of [
    ['GOOGLE_JWKS_URL', jwksUrl],
    ['GOOGLE_SCRIPT_URL', scriptUrl],
  ] as const)
    assertSafeAddress(name, value);
  return { clientId, jwksUrl, scriptUrl, hostedDomains: listOf(read('GOOGLE_HOSTED_DOMAINS')) };
}

function oidcOf(read: ReadVariable): OidcConfig | undefined {
  const [issuer, clientId] = [read('OIDC_ISSUER'), read('OIDC_CLIENT_ID')];
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined || clientId === undefined)
    throw new ConfigError('OIDC_ISSUER and OIDC_CLIENT_ID belong together: set both or neither.');
  assertSafeAddress('OIDC_ISSUER', issuer);
  return {
    issuer,
    clientId,
    audience: read('OIDC_AUDIENCE'),
    roleClaim: read('OIDC_ROLE_CLAIM') ?? 'role',
    organizationClaim: read('OIDC_ORGANIZATION_CLAIM') ?? 'organization',
    endpointHosts: listOf(read('OIDC_ENDPOINT_HOSTS')),
  };
}

/**
 * Either both secrets or no Stripe at all: without the webhook secret, anybody could claim that a payment
 * arrived (reliability.md 2.H-121).
 */
function stripeOf(read: ReadVariable): StripeConfig | undefined {
  const [secretKey, webhookSecret, apiBase] = [
    read('STRIPE_SECRET_KEY'),
    read('STRIPE_WEBHOOK_SECRET'),
    read('STRIPE_API_BASE') ?? '',
  ];
  assertSafeAddress('STRIPE_API_BASE', apiBase);
  return secretKey === undefined || webhookSecret === undefined
    ? undefined
    : { secretKey, webhookSecret, apiBase };
}

/** The EU VAT id register. It receives no secrets, but the VAT ids of customers. */
function viesOf(read: ReadVariable): string {
  const apiBase = read('VIES_API_BASE') ?? '';
  assertSafeAddress('VIES_API_BASE', apiBase);
  return apiBase.replace(/\/$/, '');
}

function rangeOf(text: string | undefined): AmountRange | undefined {
  const [min, max] = text?.split('-') ?? [];
  return min === undefined || max === undefined ? undefined : { min: BigInt(min), max: BigInt(max) };
}

function ecpayOf(read: ReadVariable): EcpayConfig | undefined {
  const [merchantId, hashKey, hashIv, apiBase] = [
    read('ECPAY_MERCHANT_ID'),
    read('ECPAY_HASH_KEY'),
    read('ECPAY_HASH_IV'),
    read('ECPAY_API_BASE') ?? '',
  ];
  assertSafeAddress('ECPAY_API_BASE', apiBase);
  return merchantId === undefined || hashKey === undefined || hashIv === undefined
    ? undefined
    : {
        merchantId,
        hashKey,
        hashIv,
        apiBase,
        atm: rangeOf(read('ECPAY_ATM')),
        cvs: rangeOf(read('ECPAY_CVS')),
        remembersCards: read('ECPAY_REMEMBER_CARDS') === 'yes',
        savesCards: read('ECPAY_SAVED_CARDS') === 'yes',
      };
}

function optionalAddress(read: ReadVariable, name: Name): string | undefined {
  const address = read(name);
  if (address !== undefined) assertSafeAddress(name, address);
  return address;
}

function smsOf(read: ReadVariable): SmsConfig | undefined {
  const [url, token] = [read('SMS_GATEWAY_URL'), read('SMS_GATEWAY_TOKEN')];
  if (url === undefined) return undefined;
  assertSafeAddress('SMS_GATEWAY_URL', url);
  return { url, token };
}

/**
 * Over plain http, anybody on the path could read or forge keys and sign-ins; on the machine itself there is
 * no path.
 */
function assertSafeAddress(name: Name, address: string): void {
  if (!isSafeAddress(address))
    throw new ConfigError(
      `${name} must begin with https:// (http:// only for localhost), without a fragment or credentials.`,
    );
}

/** Whether a URL is https, or http on this machine, with neither credentials nor a fragment. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password, hash } = new URL(address);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return (
    (protocol === 'https:' || (protocol === 'http:' && isHere)) &&
    username === '' &&
    password === '' &&
    hash === ''
  );
}

/**
 * The environment passed to child processes: where programs and temporary files are, and Node's compile
 * cache, which halves their startup time; no settings, no secrets.
 */
export function childEnvironment(): Record<string, string> {
  const names = ['PATH', 'SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR'];
  // Node appends a folder for its version by itself.
  const cache = getCompileCacheDir();
  return {
    ...environmentOf(names),
    ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

/** What a child process needs besides {@link childEnvironment} to access files: the access keys of a bucket. */
export const filesEnvironment = ({ kind }: FilesPlace): Record<string, string> =>
  kind === 'folder'
    ? {}
    : environmentOf(Object.keys(process.env).filter((name) => name.startsWith('AWS_') || name === 'HOME'));

const environmentOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** What npm tells about the script that it runs: its name, and the manifest of its package. */
export function npmEnvironment() {
  const { env } = process;
  return { script: env['npm_lifecycle_event'], manifest: env['npm_package_json'] };
}

/** The settings of the remote command line: console address and keys, language, and where it stores its sign-in. */
export function clientEnvironment() {
  const { env } = process;
  const home = env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? env['USERPROFILE'] ?? '.', '.config');
  return {
    address: env['SKYTALLY_ADDRESS'],
    key: env['SKYTALLY_KEY'],
    meteringKey: env['SKYTALLY_METERING_KEY'],
    language: env['SKYTALLY_LANGUAGE'] ?? env['LC_ALL'] ?? env['LANG'],
    credentialsFile: join(home, 'skytally', 'credentials.json'),
  };
}
