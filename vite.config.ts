// How the browser side is built: one entry, lazy routes, places for the nonce, no source maps.
import react from '@vitejs/plugin-react';
import iconify from 'unplugin-icons/vite';
import { readFileSync } from 'node:fs';
import { withLanguageTags } from './tools/language-tags.ts';
import { defineConfig, transformWithOxc, type Plugin, type PluginOption, type Rolldown } from 'vite';

/** `~icons/ic/outline-add` is Google's drawing as one of MUI's icons. All of MUI's own package would be 170 MB. */
export const icons = (): PluginOption =>
  iconify({
    scale: 1,
    compiler: {
      extension: 'js',
      compiler: (svg, _collection, name) => `
        import { createSvgIcon } from '@mui/material/SvgIcon';
        import { jsx } from 'react/jsx-runtime';
        const drawing = { __html: ${JSON.stringify(svg.replace(/^<svg[^>]*>|<\/svg>$/g, ''))} };
        export default createSvgIcon(jsx('g', { dangerouslySetInnerHTML: drawing }), ${JSON.stringify(name)});`,
    },
  });

/** While developing only: serves /locales/{lng}/{ns}.json from the TypeScript tables, as the server does. */
function localesInDevelopment(): Plugin {
  return {
    name: 'locales-in-development',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use('/locales', (request, response, next) => {
        const [, language, namespace] = /^\/(zhTW|enUS)\/([a-z-]+)\.json/.exec(request.url ?? '') ?? [];
        if (!language || !namespace) return next();
        server.ssrLoadModule('/src/app/texts.ts').then(
          (module) => {
            response.setHeader('content-type', 'application/json; charset=utf-8');
            response.end(JSON.stringify(module.namespaces[namespace]?.[language] ?? {}));
          },
          (problem: unknown) => next(problem),
        );
      });
    },
  };
}

/** The page's `lang` before any script of the console runs. */
const languageTags = (): Plugin => ({
  name: 'language-tags',
  transformIndexHtml: (page) => withLanguageTags(page),
});

/** The script by which other sites show the portal: the client's own source, as a file of its own under a lasting name. */
function embedScript(): Plugin {
  return {
    name: 'embed-script',
    apply: 'build',
    async generateBundle() {
      const file = 'sdk/typescript/src/embed.ts';
      const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file);
      this.emitFile({ type: 'asset', fileName: 'embed.js', source: code });
    },
  };
}

/**
 * What travels in one file; a screen of a hundred small ones waits for a hundred answers. Each group takes what its pages
 * import and no group before it has; `npm run build` prints what a first visit costs and fails above its budget.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'entry', tags: ['$initial'] },
  { name: 'home', test: /src\/app\/web\/screens\/Home\.tsx$/ },
  {
    name: 'visitors',
    test: /src\/(app\/web\/(Login|Welcome)Layout|features\/access\/signin\/web\/(Login|Register|PasswordReset)Screen)\.tsx$/,
  },
  { name: 'shell', test: /src\/app\/web\/(Shell|Guard)\.tsx$/ },
  { name: 'shared', minShareCount: 8 },
  { name: 'icons', test: /~icons/, minShareCount: 2 },
  { name: 'parts', test: /src\/platform\/web/, minShareCount: 3 },
  { name: 'charts', test: /src\/platform\/web\/chart\/engine\/charts\.ts$/ },
];

export default defineConfig({
  plugins: [react(), icons(), localesInDevelopment(), languageTags(), embedScript()],
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
      '/mqtt': { target: `ws://127.0.0.1:${process.env.PORT ?? '3000'}`, ws: true },
    },
  },
});
