// The standalone verifier on licences of a real console: what it accepts, and everything that it rejects.
import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licensing } from '../src/features/operations/licensing/contract.ts';
import { canonicalJson, type Canonical } from '../src/features/operations/licensing/rules.ts';
import { createLicenceApp, machineOf, type LicenceApp } from '../tests/support/licences.ts';
import { judge, keysOf, type Question } from './verify-licence.ts';

const now = new Date('2026-11-01T00:00:00Z');
let app: LicenceApp;
let licence: string;
let licenceId: string;
let keys: string[];
const folder = mkdtempSync(join(tmpdir(), 'skytally-licence-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  app = await createLicenceApp(now);
  const issued = await app.issue();
  [licence, licenceId] = [issued.file, issued.licence.id];
  keys = await publicKeys();
});
const publicKeys = async () => (await app.ok(licensing.publicKeys, {})).keys.map((key) => key.publicKey);
const listOf = async () =>
  Buffer.from((await app.ok(licensing.revocations, {})).body as Uint8Array).toString();
const judged = (more: Partial<Question> = {}) => judge({ licence, keys, machine: machineOf(), now, ...more });
const reason = (more: Partial<Question> = {}) => judged(more).verdict.reason;
const text = () => Buffer.from(licence, 'base64').toString();
const packed = (json: string) => Buffer.from(json).toString('base64');
const changed = (change: (payload: Record<string, Canonical>) => void): string => {
  const envelope = JSON.parse(text()) as Record<string, Canonical> & { payload: Record<string, Canonical> };
  change(envelope.payload);
  return packed(canonicalJson(envelope));
};

describe('a licence', () => {
  it('is valid on its machine until it expires', () => {
    expect(judged().verdict).toMatchObject({
      isValid: true,
      reason: null,
      matched: 8,
      threshold: 6,
      payload: { licenceId },
    });
    expect(reason({ now: new Date('2027-10-31T23:59:59.999Z') })).toBeNull();
    expect(reason({ now: new Date('2027-11-01T00:00:00Z') })).toBe('expired');
  });

  it('reliability.md 2.E-95: is rejected after every single-byte change', () => {
    const bytes = Buffer.from(licence);
    const tried = fc.sample(fc.record({ place: fc.nat(bytes.length - 1), bit: fc.nat(7) }), {
      numRuns: 400,
      seed: 95,
    });
    const taken = [
      ...tried,
      ...Array.from({ length: 200 }, (_, index) => ({ place: bytes.length - 1 - index, bit: 0 })),
    ].filter(({ place, bit }) => {
      const flipped = Buffer.from(bytes);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << bit);
      return reason({ licence: flipped.toString('latin1') }) === null;
    });
    expect(taken).toEqual([]);
  });

  it('96: signed with another key is rejected, whatever key it names', () => {
    const other = generateKeyPairSync('ed25519');
    const envelope = JSON.parse(text()) as Record<string, Canonical>;
    const forged = (keyId: Canonical) => {
      const signed = {
        algorithm: 'ed25519',
        keyId,
        payload: {
          ...(envelope['payload'] as Readonly<Record<string, Canonical>>),
          expiresAt: '2099-01-01T00:00:00.000Z',
        },
      };
      const signature = sign(
        null,
        Buffer.from(`skytally-licence\n${canonicalJson(signed)}`),
        other.privateKey,
      ).toString('base64url');
      return packed(canonicalJson({ ...signed, signature }));
    };
    expect(reason({ licence: forged(envelope['keyId'] ?? null) })).toBe('bad_signature');
    expect(reason({ licence: forged('0123456789abcdef') })).toBe('unknown_key');
    expect(reason({ keys: [other.publicKey.export({ type: 'spki', format: 'pem' }).toString()] })).toBe(
      'unknown_key',
    );
  });

  it.each<[string, (json: string) => string]>([
    ['another algorithm', (json) => json.replace('"ed25519"', '"none"')],
    ['no algorithm', (json) => json.replace('"algorithm":"ed25519",', '')],
    ['trailing JSON', (json) => `${json}{}`],
    ['trailing space', (json) => `${json} `],
    ['a space within', (json) => json.replace(',', ', ')],
    [
      'a name twice',
      (json) => json.replace('"expiresAt":', '"expiresAt":"2099-01-01T00:00:00.000Z","expiresAt":'),
    ],
    [
      'a name twice, the other way round',
      (json) => json.replace(/("expiresAt":"[^"]*")/, '$1,"expiresAt":"2099-01-01T00:00:00.000Z"'),
    ],
    ['one more field', (json) => json.replace('{"algorithm"', '{"aaa":1,"algorithm"')],
    ['an escape for a letter', (json) => json.replace('ed25519', '\\u0065d25519')],
    [
      'a signature with a bit that says nothing',
      (json) =>
        json.replace(/"signature":"([^"]*)"/, (_all, signature: string) => `"signature":"${signature}="`),
    ],
    ['a byte order mark', (json) => `\uFEFF${json}`],
    ['no object', () => '[]'],
    ['nothing', () => ''],
  ])('98: with %s is refused', (_what, change) =>
    expect(reason({ licence: packed(change(text())) })).not.toBeNull(),
  );

  it('98: with another algorithm is rejected, even signed with the right key', () => {
    const { payload, keyId } = JSON.parse(text()) as { payload: Canonical; keyId: string };
    const named = (algorithm: string) => {
      const signature = sign(
        null,
        Buffer.from(`skytally-licence\n${canonicalJson({ algorithm, keyId, payload })}`),
        app.app.secrets.licenceKey,
      ).toString('base64url');
      return packed(canonicalJson({ algorithm, keyId, payload, signature }));
    };
    expect([
      reason({ licence: named('ed25519') }),
      reason({ licence: named('ed448') }),
      reason({ licence: named('none') }),
    ]).toEqual([null, 'bad_signature', 'bad_signature']);
  });

  it.each<[string, (base64: string) => string]>([
    ['a line break inside', (base64) => `${base64.slice(0, 76)}\n${base64.slice(76)}`],
    ['an extra character', (base64) => `${base64}=`],
    ['the letters of base64url', (base64) => `${base64.slice(0, -4)}__==`],
    ['data after it', (base64) => `${base64}\n\n`],
  ])('98: encoded as base64 with %s is rejected', (_what, change) =>
    expect(reason({ licence: change(licence) })).toBe('not_a_licence'),
  );
  it('may end with a line feed, as editors add it', () =>
    expect([reason({ licence: `${licence}\n` }), reason({ licence: `${licence}\r\n` })]).toEqual([
      null,
      null,
    ]));

  it.each<[string, (payload: Record<string, Canonical>) => void]>([
    [
      'a later expiry',
      (payload) => {
        payload['expiresAt'] = '2099-01-01T00:00:00.000Z';
      },
    ],
    [
      'a higher limit',
      (payload) => {
        payload['quantity'] = '900';
      },
    ],
    [
      'a lower threshold',
      (payload) => {
        (payload['fingerprint'] as Record<string, Canonical>)['threshold'] = 2;
      },
    ],
  ])('with %s is rejected', (_what, change) =>
    expect(reason({ licence: changed(change) })).toBe('bad_signature'),
  );

  it('97: is rejected on another machine, but accepted after one or two components changed', () => {
    const one = { diskSerials: ['NEW'] };
    expect(
      judged({
        machine: machineOf({
          ...one,
          macAddresses: ['b8:ca:3a:00:00:02', 'aa:aa:aa:00:00:09'],
          hostname: 'db-02',
        }),
      }).verdict,
    ).toMatchObject({ isValid: true, matched: 6 });
    expect(
      judged({ machine: machineOf({ ...one, macAddresses: [], hostname: 'db-02' }) }).verdict,
    ).toMatchObject({ reason: 'other_machine', matched: 5 });
    // A copy of the disk in another machine: system, name and processor model are the same.
    expect(
      judged({
        machine: machineOf({
          systemUuid: '11111111-2222-3333-4444-555555555555',
          systemSerial: 'Z',
          boardSerial: 'Y',
          macAddresses: ['aa:bb:cc:00:00:01'],
          diskSerials: ['X'],
        }),
      }).verdict,
    ).toMatchObject({ reason: 'other_machine', matched: 3 });
    expect(reason({ machine: {} })).toBe('other_machine');
  });

  it('tells machines apart like the console, however their details are formatted', async () => {
    const issued = await app.issue(
      machineOf({
        hostname: '  DB-01',
        macAddresses: ['B8-CA-3A-00-00-01', '02:42:00:00:00:01'],
        cpu: 'Intel(R)  XEON(R) Gold 6226R',
      }),
    );
    expect(judged({ licence: issued.file }).verdict).toMatchObject({ matched: 8 });
    expect(
      judged({ licence: issued.file, machine: machineOf({ macAddresses: ['02:42:00:00:00:01'] }) }).verdict,
    ).toMatchObject({ matched: 7 });
  });
});

describe('a clock that was set back', () => {
  it('97: is detected by the last check and by the issue date of the licence', () => {
    const { state } = judged({ now: new Date('2027-10-31T00:00:00Z') });
    expect(reason({ state, now: new Date('2027-10-30T23:55:00Z') })).toBeNull();
    expect(reason({ state, now: new Date('2027-10-30T23:00:00Z') })).toBe('clock_set_back');
    expect(reason({ now: new Date('2026-10-01T00:00:00Z') })).toBe('clock_set_back');
    // The latest time is kept, even when the clock is earlier.
    expect(judged({ state, now: new Date('2026-11-02T00:00:00Z') }).state).toEqual(state);
    expect(judged({ now: new Date('2028-01-01T00:00:00Z') }).state.lastSeen).toBe('2028-01-01T00:00:00.000Z');
  });
});

describe('revocations', () => {
  it('are applied if the list is signed, and an older list is then rejected', async () => {
    const { licence: gone, file } = await app.issue();
    const before = await listOf();
    expect(reason({ licence: file, revocations: before })).toBeNull();
    await app.ok(licensing.revokeLicence, { licenceId: gone.id, reason: 'sold' }, { token: app.admin });
    const after = await listOf();
    expect(reason({ licence: file, revocations: after })).toBe('revoked');
    const { verdict, state } = judged({ revocations: after });
    expect([verdict.isValid, verdict.warnings, state.revocations]).toEqual([true, [], 1]);
    expect(reason({ revocations: before, state })).toBe('old_revocations');
    expect(judged({ revocations: after, now: new Date('2026-11-09T00:00:00Z') }).verdict).toMatchObject({
      isValid: true,
      warnings: [expect.stringContaining('2026-11-08')],
    });
    expect(reason({ revocations: licence })).toBe('bad_revocations');
    expect(reason({ licence: after })).toBe('bad_signature');
    expect(reason({ revocations: `${after.slice(0, -8)}AAAAAAA=` })).toBe('bad_revocations');
  });
});

describe('after the key was replaced', () => {
  it('old and new licences verify with the published keys, but the new one not with the old key alone', async () => {
    await app.ok(licensing.rotateLicenceKey, { reason: 'yearly' }, { token: app.admin });
    const made = await app.issue();
    const [all, old] = [await publicKeys(), keys];
    expect([
      reason({ keys: all }),
      reason({ keys: all, licence: made.file }),
      reason({ licence: made.file, keys: old }),
    ]).toEqual([null, null, 'unknown_key']);
    expect(keysOf(JSON.stringify({ data: { keys: all.map((publicKey) => ({ publicKey })) } }))).toEqual(all);
    expect(keysOf(all.join(''))).toHaveLength(2);
  });
});

describe('the verifier’s command', () => {
  const at = (name: string) => join(folder, name);
  const run = (
    words: readonly string[],
    program = resolve(import.meta.dirname, 'verify-licence.ts'),
  ): Promise<{ code: number; out: string; err: string }> =>
    new Promise((done) =>
      execFile(process.execPath, [program, ...words], { cwd: folder, env: {} }, (error, out, err) =>
        done({ code: error ? Number(error.code) : 0, out, err }),
      ),
    );

  it('exits with 0, 1 or 2, prints text or JSON, and stores the latest time', async () => {
    writeFileSync(at('machine.json'), JSON.stringify(machineOf()));
    writeFileSync(
      at('other.json'),
      JSON.stringify(machineOf({ systemUuid: null, systemSerial: null, boardSerial: null })),
    );
    // The console’s test clock differs from the computer’s: the licence begins long ago and expires in the
    // far future.
    app.clock.set(new Date('2026-11-22T00:00:00Z'));
    writeFileSync(at('licence.lic'), licence);
    writeFileSync(at('keys.json'), JSON.stringify({ keys: keys.map((publicKey) => ({ publicKey })) }));
    const words = ['licence.lic', '--machine', 'machine.json', '--key', 'keys.json'];
    const today = Date.now();
    const isIn = today > now.getTime() && today < new Date('2027-11-01').getTime();
    expect(await run([...words, '--state', 'state.json'])).toMatchObject({ code: isIn ? 0 : 1, err: '' });
    const revoked = await run([...words.with(2, 'other.json'), '--json']);
    expect([revoked.code, JSON.parse(revoked.out)]).toMatchObject([
      1,
      { isValid: false, licence: { licenceId } },
    ]);
    expect(JSON.parse(readFileSync(at('state.json'), 'utf8'))).toMatchObject({ revocations: 0 });
    writeFileSync(at('state.json'), JSON.stringify({ lastSeen: '2999-01-01T00:00:00.000Z', revocations: 0 }));
    expect(await run([...words, '--state', 'state.json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Correct the clock'),
    });
    writeFileSync(at('state.json'), '{');
    for (const wrong of [
      [...words, '--state', 'state.json'],
      ['licence.lic', '--key', 'keys.json'],
      words.with(0, 'none.lic'),
      words.with(2, 'none.json'),
      words.with(4, 'machine.json'),
      [...words, '--unknown'],
      ['licence.lic', '--machine', 'machine.json'],
    ])
      expect(await run(wrong), wrong.join(' ')).toMatchObject({ code: 2, out: '' });
  });

  it('is downloaded as an archive that runs by itself, with the public keys', async () => {
    const kit = await app.ok(licensing.verifierKit, {});
    writeFileSync(at('kit.zip'), kit.body as Uint8Array);
    await new Promise<void>((done, failed) =>
      execFile('python3', ['-m', 'zipfile', '-e', at('kit.zip'), at('kit')], (error) =>
        error ? failed(new Error(error.message)) : done(),
      ),
    );
    const collected = await run(['-'], at('kit/collect-machine.mjs'));
    expect([collected.code, JSON.parse(collected.out)]).toMatchObject([
      0,
      { format: 'skytally-machine', version: 1 },
    ]);
    const verified = await run(
      ['licence.lic', '--machine', 'machine.json', '--json'],
      at('kit/verify-licence.mjs'),
    );
    expect(JSON.parse(verified.out)).toMatchObject({
      licence: { licenceId },
      reason: verified.code === 0 ? null : expect.any(String),
    });
    expect(readFileSync(at('kit/public-keys.json'), 'utf8')).not.toContain('PRIVATE');
  });
});
