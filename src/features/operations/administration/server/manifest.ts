// The web app manifest: the name, colors and icons with which browsers install the console.
import { brandTitle } from '#kernel/brand-title.ts';
import type { FileAnswer } from '#kernel/contract.ts';
import { tagOf } from '#kernel/language.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { seenAtHost } from './seen-as.ts';

/** The icons of public/icons; `maskable` leaves room for any shape that a phone crops to. */
const icons = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

export async function systemManifest(ctx: Ctx, _input: object, { host }: Reply): Promise<FileAnswer> {
  const brand = await seenAtHost(ctx, host);
  const { name, accent, logo } = brand;
  const manifest = {
    id: '/',
    name: brandTitle(brand),
    short_name: name,
    lang: tagOf(ctx.language),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: accent ?? '#1F4E8C',
    background_color: '#F5F7FA',
    icons: logo === null ? icons : [{ src: `/api/brand/logos/${logo}`, sizes: 'any', type: 'image/png' }],
  };
  return {
    fileName: 'manifest.webmanifest',
    mediaType: 'application/manifest+json',
    body: Buffer.from(JSON.stringify(manifest)),
  };
}
