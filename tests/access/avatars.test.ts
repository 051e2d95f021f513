// Profile pictures: what is refused, what is stored of an upload, who may see it, and when it is deleted
// (reliability.md 2.E-82 to 88).
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { identity, maxPictureBytes, type User } from '#features/access/identity/contract.ts';
import { users } from '#features/access/users/contract.ts';
import { usersFeature } from '#features/access/users/server/index.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let admin: string;
let one: Awaited<ReturnType<typeof registerUser>>;
let colleague: string;
let stranger: string;
const db = () => console.app.database.kysely;

let calls = 0;
type Upload = {
  readonly token?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
};
/**
 * Uploads bytes as a picture, each time from another address, because another test covers the limit per
 * address.
 */
async function upload(
  body: Buffer | string,
  { token = one.token, type = 'image/png', headers = {}, query = '' }: Upload = {},
): Promise<{ status: number; code: string | undefined; message: string; user: User }> {
  calls++;
  const answer = await fetch(`${console.address}/api/user/avatar${query}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': type,
      'x-forwarded-for': `10.0.${calls >> 8}.${calls & 255}`,
      'accept-language': 'en',
      ...headers,
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const envelope = (await answer.json()) as Envelope;
  return {
    status: answer.status,
    code: envelope.code,
    message: envelope.message,
    user: envelope.data as User,
  };
}
const view = (avatarId: string | null, token?: string) =>
  fetch(`${console.address}/api/user/avatars/${avatarId ?? 'none'}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
const stored = async (): Promise<Buffer[]> =>
  (await sql<{ picture: Buffer }>`select picture from avatar order by created_at`.execute(db())).rows.map(
    (row) => row.picture,
  );

const plain = (width: number, height: number, background = '#3366cc') =>
  sharp({ create: { width, height, channels: 3, background } });
/**
 * A photo as a phone takes it: rotated by its EXIF orientation (6: the top is at the right), with location
 * and maker. Upright, its upper half is red.
 */
async function photo(): Promise<Buffer> {
  const half = await plain(300, 400, '#ff0000').png().toBuffer();
  return plain(600, 400, '#0000ff')
    .composite([{ input: half, left: 0, top: 0 }])
    .withExif({
      IFD0: { Make: 'Formosa Camera', Orientation: '6' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '25/1 2/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '121/1 33/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}
/** A PNG whose header declares this size but which has no pixels, so that decoding it fails. */
async function claim(width: number, height: number): Promise<Buffer> {
  const bytes = Buffer.from(await plain(1, 1).png().toBuffer());
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

beforeAll(async () => {
  console = await createTestConsole(undefined, { TRUST_PROXY: '127.0.0.1' });
  admin = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  await console.ok(
    identity.createUser,
    {
      account: 'reader@one.example',
      name: 'Reader',
      role: 'ReadOnly',
      organizationId: one.organizationId as Id<'org'>,
      password: userPassword,
    },
    { token: admin },
  );
  colleague = await signIn(console, 'reader@one.example');
  stranger = (await registerUser(console, 'owner@two.example', 'Two')).token;
});

describe('2.E-82 uploads that are not pictures', () => {
  const svg =
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const html = '<!doctype html><html><body onload="alert(1)">hello</body></html>';
  it.each<[string, string | Buffer]>([
    ['SVG', svg],
    ['HTML', html],
    [
      'GIF',
      Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7AAAAAAAAAAAAAA==', 'base64'),
    ],
    ['PDF', '%PDF-1.7 and more than thirty bytes of it'],
    ['nothing', ''],
    ['a program', `MZ${'\u0000'.repeat(64)}`],
  ])('%s is rejected, whatever its header says', async (_what, body) => {
    for (const type of ['image/png', 'image/jpeg', 'image/webp'])
      expect(await upload(body, { type })).toMatchObject({
        status: 422,
        code: 'identity.picture_kind',
        message: 'This file can’t be used as a picture. Choose a PNG, JPEG or WebP file.',
      });
  });
  it('are rejected with a helpful message in Chinese, too', async () =>
    expect((await upload(svg, { headers: { 'accept-language': 'zh-TW' } })).message).toBe(
      '這個檔案不是可用的照片，請選擇 PNG、JPEG 或 WebP 圖檔。',
    ));
  it.each(['image/svg+xml', 'image/gif', 'text/html', 'application/json', 'multipart/form-data; boundary=x'])(
    '%s is rejected without being read',
    async (type) => expect((await upload(svg, { type })).status).toBe(415),
  );
  it('are rejected when HTML precedes the picture', async () =>
    expect((await upload(Buffer.concat([Buffer.from(html), await plain(9, 9).png().toBuffer()]))).code).toBe(
      'identity.picture_kind',
    ));
  it.each(['png', 'jpeg', 'webp'] as const)('a truncated %s is rejected', async (format) => {
    const whole = await sharp(
      Buffer.from(Array.from({ length: 3 * 64 * 64 }, (_none, at) => (at * 7919) % 251)),
      { raw: { width: 64, height: 64, channels: 3 } },
    )
      .toFormat(format)
      .toBuffer();
    expect(await upload(whole.subarray(0, whole.length / 2))).toMatchObject({
      status: 422,
      code: 'identity.picture_broken',
    });
  });
  it('nothing of a rejected upload is stored', async () => expect(await stored()).toEqual([]));
});

describe('2.E-82 stored pictures', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    'a %s is decoded and re-encoded, small and square, whatever its header says',
    async (format) => {
      const { status, user } = await upload(await plain(500, 300).toFormat(format).toBuffer(), {
        type: 'image/webp',
      });
      expect([status, user.avatar]).toEqual([200, expect.stringMatching(/^avt_/)]);
      const answer = await view(user.avatar, one.token);
      const { format: written, width, height } = await sharp(await answer.arrayBuffer()).metadata();
      expect([answer.headers.get('content-type'), written, width, height]).toEqual([
        'image/webp',
        'webp',
        192,
        192,
      ]);
      expect((await console.ok(identity.profile, {}, { token: one.token })).avatar).toBe(user.avatar);
    },
  );

  it('a polyglot file loses everything but its pixels: trailing data, comments and text', async () => {
    const evil = '<script>alert("polyglot")</script>';
    const png = await plain(40, 40).png().toBuffer();
    const jpeg = await plain(40, 40)
      .withExif({ IFD0: { ImageDescription: evil } })
      .jpeg()
      .toBuffer();
    const comment = Buffer.from([0xff, 0xfe, 0, evil.length + 2, ...Buffer.from(evil)]);
    for (const body of [
      Buffer.concat([png, Buffer.from(evil), Buffer.from('PK\u0003\u0004')]),
      Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), Buffer.from(evil)]),
    ]) {
      expect((await upload(body)).status).toBe(200);
      const [picture] = await stored();
      expect(picture?.includes('script')).toBe(false);
      expect(picture?.includes('PK\u0003\u0004')).toBe(false);
    }
  });

  it('a photo is rotated upright and loses its location and camera data', async () => {
    const taken = await photo();
    expect(await sharp(taken).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
    expect((await upload(taken)).status).toBe(200);
    const [picture = Buffer.alloc(0)] = await stored();
    const { exif, xmp, icc, iptc, orientation } = await sharp(picture).metadata();
    expect([exif, xmp, icc, iptc, orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(picture.includes('Formosa Camera')).toBe(false);
    const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): string =>
      (data[(y * info.width + x) * info.channels] ?? 0) > 128 ? 'red' : 'blue';
    expect([at(96, 20), at(20, 96 - 30), at(96, 170), at(170, 96 + 30)]).toEqual([
      'red',
      'red',
      'blue',
      'blue',
    ]);
  });

  it('a transparent picture gets a white background, so that it is visible in light and dark mode', async () => {
    await upload(
      await sharp({
        create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
      })
        .png()
        .toBuffer(),
    );
    const { data, info } = await sharp((await stored())[0])
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.channels, ...data.subarray(0, 3)]).toEqual([3, 255, 255, 255]);
  });
});

describe('2.E-82, 83 size limits of pictures', () => {
  it('1 MiB is accepted, one byte more is rejected', async () => {
    const picture = await plain(20, 20).png().toBuffer();
    expect(
      (await upload(Buffer.concat([picture, Buffer.alloc(maxPictureBytes - picture.length)]))).status,
    ).toBe(200);
    expect(
      await upload(Buffer.concat([picture, Buffer.alloc(maxPictureBytes - picture.length + 1)])),
    ).toMatchObject({
      status: 413,
      code: 'platform.too_large',
      message: 'The request is too large. Make it smaller and try again.',
    });
  });
  it('4,096 pixels per side are accepted, one more is rejected', async () => {
    expect((await upload(await plain(4096, 20).png().toBuffer())).status).toBe(200);
    for (const [width, height] of [
      [4097, 20],
      [20, 4097],
    ] as const) {
      expect(await upload(await plain(width, height).png().toBuffer())).toMatchObject({
        status: 422,
        code: 'identity.picture_too_wide',
        message: `The picture has ${width} × ${height} pixels; each side can have at most 4096. Make it smaller and try again.`,
      });
    }
  });
  it('2.E-83 a decompression bomb of 50 megapixels is rejected by its header, without decoding a pixel', async () => {
    const flat = await plain(10_000, 5000).png().toBuffer();
    expect(flat.length).toBeLessThan(maxPictureBytes);
    for (const body of [flat, await claim(10_000, 5000), await claim(2 ** 31 - 1, 2 ** 31 - 1)])
      expect((await upload(body)).code).toBe('identity.picture_too_wide');
    // Within the limit the same bytes are decoded and found to be corrupt.
    expect((await upload(await claim(4000, 4000))).code).toBe('identity.picture_broken');
  });
});

describe('2.E-84, 85 file names and headers of pictures', () => {
  it.each(['../../x', '..\\..\\x', 'CON', 'n'.repeat(300), 'a\u202Egpj.exe', '%2e%2e%2fx'])(
    'a file name chosen by the client is ignored: %s',
    async (name) => {
      const disposition = `attachment; filename="${encodeURIComponent(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`;
      const { status, user } = await upload(await plain(9, 9).png().toBuffer(), {
        headers: { 'content-disposition': disposition, 'x-file-name': encodeURIComponent(name) },
      });
      expect(status).toBe(200);
      expect((await view(user.avatar, one.token)).headers.get('content-disposition')).toBe(
        `attachment; filename="${user.avatar}.webp"; filename*=UTF-8''${user.avatar}.webp`,
      );
      expect(
        (await upload(await plain(9, 9).png().toBuffer(), { query: `?fileName=${encodeURIComponent(name)}` }))
          .status,
      ).toBe(400);
    },
  );
  it('2.E-85 a picture is a sandboxed attachment and cached privately', async () => {
    const { user } = await upload(await plain(9, 9).png().toBuffer());
    const { headers } = await view(user.avatar, one.token);
    expect(
      Object.fromEntries(
        ['content-type', 'x-content-type-options', 'cache-control'].map((name) => [name, headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="avt_\w{26}\.webp"/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await view('avt_00000000000000000000000000', one.token)).headers.get('cache-control')).toBe(
      'no-store',
    );
  });
});

describe('2.E-86 access to pictures', () => {
  it('colleagues and Admins see a picture; for everybody else it does not exist', async () => {
    const { user } = await upload(await plain(9, 9).png().toBuffer());
    const statusFor = async (token?: string) => (await view(user.avatar, token)).status;
    expect([
      await statusFor(one.token),
      await statusFor(colleague),
      await statusFor(admin),
      await statusFor(stranger),
      await statusFor(),
    ]).toEqual([200, 200, 200, 404, 401]);
    const [foreign, absent] = await Promise.all(
      [view(user.avatar, stranger), view('avt_00000000000000000000000000', stranger)].map(
        async (request) => ({
          ...((await (await request).json()) as object),
          requestId: '',
        }),
      ),
    );
    expect(foreign).toEqual(absent);
    const own = (await upload(await plain(9, 9).png().toBuffer(), { token: admin })).user.avatar;
    expect([(await view(own, admin)).status, (await view(own, one.token)).status]).toEqual([200, 404]);
    await console.ok(identity.removeAvatar, {}, { token: admin });
  });
  it('a ReadOnly member cannot change pictures, nor can an Admin who views as somebody', async () => {
    expect((await upload(await plain(9, 9).png().toBuffer(), { token: colleague })).status).toBe(403);
    const { token } = await console.ok(
      identity.startView,
      { userId: one.userId as Id<'usr'>, reason: 'ticket 1042' },
      { token: admin },
    );
    const before = (await console.ok(identity.profile, {}, { token })).avatar;
    expect((await upload(await plain(9, 9).png().toBuffer(), { token })).code).toBe('platform.view_only');
    expect((await console.call(identity.removeAvatar, {}, { token })).envelope.code).toBe(
      'platform.view_only',
    );
    expect([before, (await view(before, token)).status]).toEqual([expect.stringMatching(/^avt_/), 200]);
  });
});

describe('2.E-87 one picture per person', () => {
  it('a new picture replaces the old one, removal deletes it, and both are in the audit log', async () => {
    const first = (await upload(await plain(9, 9).png().toBuffer())).user.avatar;
    const second = (await upload(await plain(9, 9, '#000000').png().toBuffer())).user.avatar;
    expect([
      first === second,
      (await view(first, one.token)).status,
      (await view(second, one.token)).status,
      (await stored()).length,
    ]).toEqual([false, 404, 200, 1]);
    const removed = await console.ok(identity.removeAvatar, {}, { token: one.token });
    expect([removed.avatar, (await view(second, one.token)).status, await stored()]).toEqual([null, 404, []]);
    const { rows } = await sql<{
      action: string;
      subject: string;
      detail: object;
    }>`select action, subject, detail from audit_log where action in ('identity.setAvatar', 'identity.removeAvatar') order by seq desc limit 2`.execute(
      db(),
    );
    expect(rows).toEqual([
      { action: 'identity.removeAvatar', subject: one.userId, detail: { had: true } },
      {
        action: 'identity.setAvatar',
        subject: one.userId,
        detail: { type: 'image/png', width: 9, height: 9 },
      },
    ]);
    expect((await console.ok(identity.removeAvatar, {}, { token: one.token })).avatar).toBeNull();
  });
  it('concurrent uploads leave one picture', async () => {
    const pictures = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff', '#ffffff'].map((colour) => plain(300, 300, colour).png().toBuffer()),
    );
    const answers = await Promise.all(pictures.map((body) => upload(body)));
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThan(0);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(
      new Set(answers.some((answer) => answer.status === 429) ? [200, 429] : [200]),
    );
    const { avatar } = await console.ok(identity.profile, {}, { token: one.token });
    expect([answers.map((answer) => answer.user?.avatar).includes(avatar), (await stored()).length]).toEqual([
      true,
      1,
    ]);
  });
  it('an address may upload ten a minute, and the eleventh response says when to retry', async () => {
    const picture = await plain(9, 9).png().toBuffer();
    const answers = [];
    for (let attempt = 0; attempt < 11; attempt++)
      answers.push(await upload(picture, { headers: { 'x-forwarded-for': '10.9.9.9' } }));
    expect(answers.map((answer) => answer.status)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(answers.at(-1)?.code).toBe('platform.too_many_requests');
  });
});

describe('pictures of deleted users', () => {
  it('a deleted user’s picture is hidden from colleagues and deleted with the erasure', async () => {
    const { user } = await console.ok(
      identity.createUser,
      {
        account: 'leaves@one.example',
        name: 'Leaves',
        role: 'User',
        organizationId: one.organizationId as Id<'org'>,
        password: userPassword,
      },
      { token: admin },
    );
    const { avatar } = (
      await upload(await plain(9, 9).png().toBuffer(), { token: await signIn(console, 'leaves@one.example') })
    ).user;
    await console.ok(users.startBatch, { action: 'delete', ids: [user.id] }, { token: admin });
    expect([(await view(avatar, colleague)).status, (await view(avatar, admin)).status]).toEqual([404, 200]);
    console.clock.advance(31 * 86_400_000);
    await usersFeature.jobs
      .find((job) => job.name === 'users-erase')
      ?.run(console.app, {} as never, new AbortController().signal);
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    const { rows } = await sql`select 1 from avatar where user_id = ${user.id}`.execute(db());
    expect([(await view(avatar, admin)).status, rows]).toEqual([404, []]);
  });
});
