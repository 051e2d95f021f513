// The web app manifest: under which name, colours and pictures browsers install the console.
import type { FileAnswer } from '#kernel/contract.ts';
import { languageTags } from '#kernel/language.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { brandName, systemName } from '#features/access/identity/server/index.ts';

/** Drawings of public/icons; `maskable` has room for whatever shape a phone cuts out. */
const icons = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

export async function systemManifest(ctx: Ctx): Promise<FileAnswer> {
  const manifest = {
    id: '/',
    name: await brandName(ctx),
    short_name: await ctx.setting(systemName),
    lang: languageTags[ctx.language],
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: '#1F4E8C',
    background_color: '#F5F7FA',
    icons,
  };
  return {
    fileName: 'manifest.webmanifest',
    mediaType: 'application/manifest+json',
    body: Buffer.from(JSON.stringify(manifest)),
  };
}
