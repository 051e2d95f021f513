// How the browser side is built: one entry, hashed names, places for the nonce, no source maps.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** While developing only: serves /locales/{lng}/{ns}.json from the TypeScript tables, as the server does. */
function localesInDevelopment(): Plugin {
  return {
    name: 'locales-in-development',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use('/locales', (request, response, next) => {
        const [, language, namespace] = /^\/(zhTW|enUS)\/([a-z-]+)\.json/.exec(request.url ?? '') ?? [];
        if (!language || !namespace) return next();
        const folders: Record<string, string> = { app: 'app/locales', platform: 'platform/locales', console: 'app/locales/console', palette: 'app/locales/palette' };
        const url = `/src/${folders[namespace] ?? `features/${namespace}/locales`}/${language}.ts`;
        server.ssrLoadModule(url).then(
          (module) => {
            response.setHeader('content-type', 'application/json; charset=utf-8');
            response.end(JSON.stringify(module[language]));
          },
          (problem: unknown) => next(problem),
        );
      });
    },
  };
}

/** A route's summary is for the documents, which the server writes: the browser need not carry it. */
function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    // Before the compiler rewrites the quotes.
    enforce: 'pre',
    apply: 'build',
    transform: (code, id) => (id.endsWith('/contract.ts') ? { code: code.replace(/\bsummary: '(?:[^'\\\n]|\\.)*'/g, "summary: ''"), map: null } : undefined),
  };
}

const everywhere = new RegExp([
  'node_modules/(react|react-dom|scheduler|react-router|@emotion|stylis|zustand|zod|big\\.js|@tanstack|clsx|@mui/(system|styled-engine|utils|private-theming))/',
  '@mui/material/(styles|utils|internal|transitions|Button|ButtonBase|ButtonGroup|IconButton|CircularProgress|SvgIcon|Typography|Stack|Box|Paper|CssBaseline|Link)/',
].join('|'));

/** Whether a module is part of every page: the libraries of the frame, the kernel without its calendar, the connection. */
function isBase(id: string): boolean {
  const own = id.split('/src/')[1];
  if (own === undefined || id.includes('node_modules')) return everywhere.test(id);
  return /^kernel\/(contract|decimal|ids|language|money|must|refusal|roles|shape|text|format-money)\.ts$|^platform\/web\/[a-z-]+\.ts$/.test(own) && !/(live|pacer|shortcuts|calendar|format|download|start-of-day)/.test(own.split('/').at(-1) ?? '');
}

/** What every field needs: a dozen small files otherwise, which compress worse and queue up on the sign-in page. */
function isInput(id: string): boolean {
  const own = id.split('/src/')[1];
  if (own !== undefined && !id.includes('node_modules')) return /^platform\/web\/form\/(Field|TextBox|PasswordBox|Refusal)\.tsx$|^platform\/web\/form\/problems\.ts$|^platform\/web\/ui\/(FormCard)\.tsx$/.test(own);
  return /@mui\/material\/(OutlinedInput|InputBase|InputAdornment|InputLabel|FormControl|FormLabel|FormHelperText|TextareaAutosize)\/|@mui\/icons-material\/Visibility/.test(id);
}

export default defineConfig({
  plugins: [react(), localesInDevelopment(), withoutSummaries()],
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
    // What every page needs is one file: many small ones compress worse and queue up on slow lines.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: (id: string) => isBase(id) }, { name: 'input', test: (id: string) => isInput(id) }] } } },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? '3000'}`, '/mqtt': { target: `ws://127.0.0.1:${process.env.PORT ?? '3000'}`, ws: true } } },
});
