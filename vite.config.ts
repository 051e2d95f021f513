// How the browser side is built: one entry, lazy routes, places for the nonce, no source maps.
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';
import { earlyFiles, embedScript, icons, languageTags } from './tools/web-plugins.ts';

/**
 * What travels in one file; a screen of a hundred small ones waits for a hundred answers. Each group takes what its pages
 * import and no group before it has; `npm run build` prints what a first visit costs and fails above its budget.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'entry', tags: ['$initial'] },
  {
    name: 'visitors',
    test: /src\/(app\/web\/(Login|Welcome)Layout|features\/access\/signin\/web\/(Login|Register|PasswordReset)Screen)\.tsx$/,
  },
  { name: 'shell', test: /src\/app\/web\/(Shell|Guard|composed-screens)\.tsx$/ },
  { name: 'shared', minShareCount: 4 },
  { name: 'charts', test: /src\/platform\/web\/chart\/engine\/charts\.ts$/ },
];

/** What index.html asks for at once, by the kind of page that its script finds. */
const early = { visitors: ['visitors'], inside: ['shell', 'shared'] };

export default defineConfig({
  plugins: [react(), icons(), languageTags(), earlyFiles(early), embedScript()],
  html: { cspNonce: '__CSP_NONCE__' },
  define: {
    __BUILD__: JSON.stringify(process.env.SKYTALLY_BUILD ?? 'dev'),
  },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    proxy: {
      '/api': `http://127.0.0.1:${process.env.PORT ?? '3000'}`,
      '/locales': `http://127.0.0.1:${process.env.PORT ?? '3000'}`,
      '/mqtt': { target: `ws://127.0.0.1:${process.env.PORT ?? '3000'}`, ws: true },
    },
  },
});
