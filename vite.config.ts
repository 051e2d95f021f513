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

/** A route's summary is for the documents, which the server writes: the browser need not carry it. */
function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    // Before the compiler rewrites the quotes.
    enforce: 'pre',
    apply: 'build',
    transform: (code, id) =>
      id.endsWith('/contract.ts')
        ? { code: code.replace(/\bsummary: '(?:[^'\\\n]|\\.)*'/g, "summary: ''"), map: null }
        : undefined,
  };
}

/** Files of libraries that are imported there but do nothing here, and what stands in for them. */
const standIns: Readonly<Record<string, string>> = {
  // Ripples are off in the theme.
  '@mui/material/ButtonBase/TouchRipple.mjs': 'export default () => null;',
  '@mui/material/useLazyRipple/useLazyRipple.mjs':
    'const none = () => undefined, ripple = { ref: { current: null }, shouldMount: false, start: none, stop: none, pulsate: none }; export default () => ripple;',
  // index.html has its own line that sets the theme before the first picture.
  '@mui/system/InitColorSchemeScript/InitColorSchemeScript.mjs':
    "export const DEFAULT_MODE_STORAGE_KEY = 'mode', DEFAULT_COLOR_SCHEME_STORAGE_KEY = 'color-scheme', DEFAULT_ATTRIBUTE = 'data-color-scheme'; export const buildInitColorSchemeScript = () => null; export default () => null;",
  // Only Emotion's `withTheme` calls it, which nobody uses.
  'hoist-non-react-statics/dist/hoist-non-react-statics.cjs.js': 'export default (target) => target;',
  // Of pages that a server has drawn: a link of ours fetches nothing ahead.
  'react-router/dist/production/lib/dom/ssr/components.js': `
    import { createContext, useRef } from 'react';
    export const FrameworkContext = createContext(undefined);
    export const usePrefetchBehavior = () => [false, useRef(null), {}];
    export const mergeRefs = (...refs) => (value) => { for (const ref of refs) if (typeof ref === 'function') ref(value); else if (ref) ref.current = value; };
    const nothing = () => null;
    export { nothing as Links, nothing as Meta, nothing as PrefetchPageLinks, nothing as Scripts, nothing as useFrameworkContext, nothing as setIsHydrated };
    export const CRITICAL_CSS_DATA_ATTRIBUTE = '';`,
};

/** Leaves out what libraries bring along and nobody runs; fails when a new version has it elsewhere. */
function withoutUnused(): Plugin {
  const met = new Set<string>();
  return {
    name: 'without-unused',
    enforce: 'pre',
    apply: 'build',
    load(id) {
      const file = Object.keys(standIns).find((one) => id.endsWith(`/node_modules/${one}`));
      if (file === undefined) return undefined;
      met.add(file);
      return { code: standIns[file] ?? '', moduleSideEffects: false };
    },
    // A part that is given a name for debugging, or is made by a call, counts as used by everybody.
    transform: (code, id) =>
      id.includes('/node_modules/react-router/')
        ? {
            code: code
              .replace(/^\w+\.displayName = "\w+";$/gm, '')
              .replace(/= (React\$1\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1'),
            map: null,
          }
        : undefined,
    buildEnd(error) {
      const gone = Object.keys(standIns).filter((file) => !met.has(file));
      if (!error && gone.length > 0)
        this.error(`vite.config.ts stands in for files that are no longer imported: ${gone.join(', ')}`);
    },
  };
}

/**
 * What travels in one file. A screen of a hundred small files waits for a hundred answers, and they compress worse; so what several screens
 * share comes together, and visitors without an account are given none of what is for the others. A module belongs to the first that names it
 * and brings what it imports, except what an earlier one has; `npm run build` prints what a first visit costs and fails above its budget.
 */
const bundles: readonly (readonly [name: string, modules: RegExp, minShareCount?: number])[] = [
  // Every page: what the entry needs, and what every screen of whatever kind has.
  [
    'base',
    parts(
      'src/app/web/(main|leaving|system|follow|Logo)\\.tsx?$',
      '@mui/material/(Button|ButtonGroup|IconButton|CircularProgress|Typography|Box|Link)/',
      '@mui/icons-material/ReceiptLong',
      '@mui/material/utils/',
      '@mui/utils/(?!useRovingTabIndex)',
    ),
  ],
  // Whoever is asked for something: fields, and how they are sent.
  [
    'fields',
    parts(
      '@mui/material/(OutlinedInput|InputBase|InputAdornment|InputLabel|FormControl|FormLabel|FormHelperText|TextareaAutosize)/',
      '@mui/icons-material/(Visibility|VisibilityOff)',
      'src/platform/web/form/(Field|TextBox|PasswordBox|Refusal|FormFrame)\\.tsx',
      'src/platform/web/form/(problems|checks|use-plain-form)\\.ts',
      'src/platform/web/ui/FormCard\\.tsx',
      'src/features/access/signin/(contract-paths|web/(open-calls|last-method|passkey-support))\\.ts',
      'src/features/access/signin/web/(OtherWays|LastUsed)\\.tsx',
    ),
  ],
  // Sign-in and everything after it: the bar at the top.
  [
    'bar',
    parts(
      '@mui/material/(AppBar|Toolbar|Paper)/',
      '@mui/icons-material/(Settings|Menu|MenuOpen|CloudOff|Key)Outlined',
      'src/app/web/(TopBar|OfflineNotice)\\.tsx',
    ),
  ],
  // The switches of language and theme, where there is no settings button.
  [
    'switches',
    parts(
      '@mui/material/(ToggleButton|ToggleButtonGroup)/',
      '@mui/icons-material/(DarkMode|LightMode)',
      'src/app/web/(Switches|WelcomeHead)\\.tsx',
    ),
  ],
  // Registration: a tick, and a new password.
  [
    'register',
    parts(
      '@mui/material/(Checkbox|FormControlLabel)/',
      '@mui/icons-material/RadioButtonUnchecked',
      'src/platform/web/form/TickBox\\.tsx',
      'src/platform/web/ui/VisuallyHidden\\.tsx',
      'src/features/access/signin/web/(use-password-rules\\.ts|NewPasswordFields\\.tsx)',
      'src/features/access/identity/rules\\.ts',
    ),
  ],
  // The pages that a mailed link opens.
  ['link', parts('@mui/material/Alert/', 'src/platform/web/use-link-token\\.ts')],
  // What calls by contract need, which nobody makes before sign-in.
  [
    'calls',
    parts(
      'node_modules/(zod|@tanstack)/',
      'src/platform/web/(api|queries|Queries)\\.tsx?',
      'src/kernel/(contract|shape|decimal|money|format-money)\\.ts',
    ),
  ],
  [
    'forms',
    parts(
      'node_modules/react-hook-form/',
      'src/platform/web/form/(Form|TextField|PasswordField|SelectField|UnsavedBar)\\.tsx',
      'src/platform/web/form/[a-z-]+\\.ts',
      '@mui/material/(Switch|NativeSelect|Input)/',
    ),
  ],
  // Around every screen of the signed-in; then what comes after what they came for.
  [
    'frame',
    parts(
      'src/app/web/(Shell|ShellBell|Guard|composed-screens|AccountMenu)\\.tsx',
      'src/platform/web/use-[a-z-]+\\.ts',
    ),
  ],
  ['menu', parts('src/app/web/Sidebar\\.tsx', 'src/features/messaging/notifications/web/Bell\\.tsx')],
  ['time', parts('node_modules/temporal-polyfill/')],
  ['chart', parts('src/platform/web/chart/'), 2],
  // What at least two screens have.
  [
    'kit',
    parts(
      'src/platform/web/',
      'node_modules/@mui/',
      'src/features/[a-z]+/[a-z]+/(contract|rules)[a-z-]*\\.ts',
      'src/features/[a-z]+/[a-z]+/web/api\\.ts',
      'src/kernel/',
    ),
    2,
  ],
];

/** What a page is certain to want, by the beginning of its path: asked for before the first file has been read, so that nothing waits for it to say so. */
const wanted: readonly (readonly [paths: string, bundles: readonly string[]])[] = [
  ['^/$', ['switches']],
  ['^/login$', ['fields', 'bar']],
  ['^/register$', ['switches', 'fields', 'register']],
  ['^/password-reset$', ['switches', 'fields', 'register', 'link']],
  ['^/(invitation|verify-email)$', ['switches', 'fields', 'register', 'link', 'calls']],
  [
    '^/(admin|user|usage|billing|service|cloud-service|dashboard)(/|$)',
    ['calls', 'fields', 'bar', 'switches', 'register', 'link', 'frame', 'kit', 'forms', 'menu', 'chart'],
  ],
];

/** What comes after a form that somebody without an account fills in: fetched while they type, not before. */
const soon = wanted.slice(-1);

/** Puts a line into index.html that asks for what the page at hand will want, and for what comes next once somebody types. */
function preloads(): Plugin {
  return {
    name: 'preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const files = new Map(
          Object.values(bundle ?? {}).flatMap((one) =>
            one.type === 'chunk' ? [[one.name, `/${one.fileName}`] as const] : [],
          ),
        );
        const table = (rows: typeof wanted) =>
          JSON.stringify(rows.map(([paths, names]) => [paths, names.map((name) => files.get(name))]));
        const children = `{
  const ask = (files, how) => { for (const href of files) document.head.append(Object.assign(document.createElement('link'), { crossOrigin: '', href, ...how })) };
  const isHere = (paths) => new RegExp(paths).test(location.pathname);
  for (const [paths, files] of ${table(wanted)}) if (isHere(paths)) ask(files, { rel: 'modulepreload' });
  for (const [paths, files] of ${table(soon)}) if (!isHere(paths)) addEventListener('input', () => ask(files, { rel: 'prefetch', as: 'script' }), { once: true });
}`;
        return [{ tag: 'script', attrs: { nonce: '__CSP_NONCE__' }, children, injectTo: 'head' }];
      },
    },
  };
}

function parts(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'));
}

export default defineConfig({
  plugins: [react(), localesInDevelopment(), withoutSummaries(), withoutUnused(), preloads()],
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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: bundles.map(([name, test, minShareCount = 1]) => ({ name, test, minShareCount })),
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': `http://127.0.0.1:${process.env.PORT ?? '3000'}`,
      '/mqtt': { target: `ws://127.0.0.1:${process.env.PORT ?? '3000'}`, ws: true },
    },
  },
});
