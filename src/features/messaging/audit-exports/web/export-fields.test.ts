// The request of a destination’s form, and its validation.
import { describe, expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { AuditExport, auditExports, type Target } from '../contract.ts';
import { changesOf, exportFields, fieldsOf, newExportOf } from './export-fields.ts';
import { placeOf } from './export-words.ts';

const targets: readonly Target[] = [
  { kind: 'syslog', host: 'logs.example.com', port: 6514, isTls: true, authority: '' },
  { kind: 'syslog', host: '::1', port: 514, isTls: false, authority: '' },
  {
    kind: 'bucket',
    bucket: 'audit-bucket',
    prefix: 'audit/',
    region: 'eu-central-1',
    endpoint: null,
    accessKeyId: 'AKIA',
  },
  { kind: 'webhook', url: 'https://audit.example.com/in' },
];
const shown = (target: Target): AuditExport => ({
  id: `aex_${'0'.repeat(26)}` as Id<'aex'>,
  name: 'SIEM',
  target,
  secretHint: '',
  isPaused: false,
  sentSeq: 0,
  waiting: 0,
  waitingSince: null,
  lastSentAt: null,
  failingSince: null,
  failure: null,
  nextTryAt: new Date(0),
  version: 3,
  createdAt: new Date(0),
});

describe('the form of an audit export', () => {
  test.each(targets)('T-AUDX: of $kind sends what it shows', (target) => {
    const fields = exportFields.parse(fieldsOf(shown(target)));
    const { start, ...made } = newExportOf(fields);
    expect(start).toBe('beginning');
    expect(made).toEqual({ name: 'SIEM', target });
    expect(auditExports.createAuditExport.input.safeParse({ ...made, start }).success).toBe(true);
    expect(changesOf(shown(target), fields)).toMatchObject({ version: 3, name: 'SIEM', target });
  });

  test('T-AUDX: a new key is sent with a bucket only', () => {
    const [syslog, , bucket] = targets.map((target) => fieldsOf(shown(target)));
    if (!syslog || !bucket) throw new Error('no fields');
    expect(newExportOf({ ...bucket, secretAccessKey: 'k' }).secretAccessKey).toBe('k');
    expect(newExportOf({ ...syslog, secretAccessKey: 'k' }).secretAccessKey).toBeUndefined();
  });

  test.each([
    ['syslog', ['target.host', 'target.port']],
    ['bucket', ['target.bucket', 'target.region', 'target.accessKeyId']],
    ['webhook', ['target.url']],
  ] as const)('T-AUDX: %s requires its fields', (kind, names) => {
    const empty = fieldsOf(undefined);
    const { error } = exportFields.safeParse({
      ...empty,
      name: 'x',
      target: { ...empty.target, kind, port: '', region: '' },
    });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(names);
  });

  test('T-AUDX: a port is a number, an authority PEM', () => {
    const empty = fieldsOf(undefined);
    const { error } = exportFields.safeParse({
      ...empty,
      name: 'x',
      target: { ...empty.target, host: 'h', port: 'tls', authority: 'none' },
    });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'auditexports.port_wrong',
      'auditexports.pem_wrong',
    ]);
  });

  test('T-AUDX: a destination is one text', () =>
    expect(targets.map(placeOf)).toEqual([
      'syslog+tls://logs.example.com:6514',
      'syslog://[::1]:514',
      's3://audit-bucket/audit/',
      'https://audit.example.com/in',
    ]));
});
