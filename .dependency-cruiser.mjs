// The architecture as rules: layers, features in one direction, public entry points only, no circles.
// Run by `npm run check`; `npm run architecture` draws docs/contributor/architecture.md from the same imports.
import { featureOrder } from './src/app/feature-order.ts';

const feature = '^src/features/([^/]+/[^/]+)/';
const featureEntry =
  '^src/features/[^/]+/[^/]+/(contract[a-z-]*|rules|server/index|web/index|web/parts)\\.ts$';
const tests = '\\.test\\.tsx?$|^tests/|^e2e/|^bench/|^tools/|^verify';
const pure =
  '^src/(kernel/|platform/locales/|app/(menu|page-areas|feature-order)\\.ts|app/locales/|app/[^/]+/contract\\.ts|features/[^/]+/[^/]+/(contract|rules|locales/)[^/]*)';
const server = '^src/(platform/server/|features/[^/]+/[^/]+/server/)';
const web = '^src/(platform/web/|app/web/|features/[^/]+/[^/]+/web/)';

/** Each feature may import only from features that stand before it in `featureOrder`. */
const oneDirection = featureOrder.slice(0, -1).map((name, index) => ({
  name: `features-one-direction`,
  comment: `${name} must not import a feature that is built on it: raise a domain event, and connect it in src/app/event-handlers.ts.`,
  severity: 'error',
  from: { path: `^src/features/${name}/` },
  to: { path: `^src/features/(${featureOrder.slice(index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Files that import each other cannot be understood or tested one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolvable',
      comment: 'The imported file or package does not exist, or the extension is missing.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'kernel-is-the-bottom',
      comment: 'The kernel knows nothing of the layers above it.',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: tests },
      to: { path: '^(src/(platform|features|app)|tests)/' },
    },
    {
      name: 'platform-knows-no-business',
      comment: 'The platform offers machines; features use them, never the other way round.',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: tests },
      to: { path: '^src/(features|app)/' },
    },
    {
      name: 'features-below-the-app',
      comment: 'Only src/app composes features. A feature emits an event or takes a prop instead.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: tests },
      to: { path: '^src/app/' },
    },
    ...oneDirection,
    {
      name: 'features-by-their-public-api',
      comment:
        'Another feature is entered by contract.ts, rules.ts, server/index.ts, web/index.ts or web/parts.ts.',
      severity: 'error',
      from: { path: feature, pathNot: tests },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', featureEntry] },
    },
    {
      name: 'app-uses-public-apis',
      comment:
        'The app composes features by their public API, and hands their sentences to the language files.',
      severity: 'error',
      from: { path: '^src/app/', pathNot: tests },
      to: { path: '^src/features/', pathNot: [featureEntry, '/locales/'] },
    },
    {
      name: 'not-through-the-own-public-api',
      comment: 'Inside a feature import the file itself: its index only re-exports for others.',
      severity: 'error',
      from: { path: feature, pathNot: tests },
      to: { path: '^src/features/$1/(server/index|web/index|web/parts)\\.ts$' },
    },
    {
      name: 'pure-stays-pure',
      comment:
        'Contracts, rules, sentences and the kernel run anywhere and decide nothing by clock, disk or network.',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: {
        pathNot: [
          pure,
          '^node_modules/(zod|big\\.js|@types/big\\.js|temporal-polyfill|i18next|temporal-spec|scim-patch|scim2-parse-filter)/',
        ],
      },
    },
    {
      name: 'contract-below-rules',
      comment: 'Rules and sentences build on the contract, which knows neither.',
      severity: 'error',
      from: { path: '^src/features/[^/]+/[^/]+/contract[^/]*\\.ts$', pathNot: tests },
      to: { path: '/(rules[^/]*\\.ts$|locales/)' },
    },
    {
      name: 'rules-and-sentences-apart',
      comment: 'Rules answer codes; sentences are chosen at the edge.',
      severity: 'error',
      from: { path: '^src/features/[^/]+/[^/]+/rules', pathNot: tests },
      to: { path: '/locales/' },
    },
    {
      name: 'no-server-code-in-the-browser',
      comment: 'What both sides know belongs into a contract, rules or the kernel.',
      severity: 'error',
      from: { path: web, pathNot: tests },
      to: { path: [server, '^node:'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-browser-code-on-the-server',
      comment: 'What both sides know belongs into a contract, rules or the kernel.',
      severity: 'error',
      from: { path: server, pathNot: tests },
      to: { path: web },
    },
    {
      name: 'no-tests-in-the-product',
      comment: 'The product never imports a test or a file made for tests.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'tools-stand-alone',
      comment: 'Tools are used by tests, not the other way round.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^e2e/' },
    },
    {
      name: 'sql-in-stores',
      comment: 'A feature writes SQL in store.ts or store-<part>.ts, where each question has a name.',
      severity: 'error',
      from: {
        path: '^src/(features|app)/',
        pathNot: [tests, '/store[^/]*\\.ts$', '^src/app/cli/', '/migrations/'],
      },
      to: { path: '^node_modules/kysely/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-vague-names',
      comment: 'Name a file after what it promises.',
      severity: 'error',
      from: {},
      to: {
        path: '^(src|tests|tools|e2e|bench|verify)/.*\\b(utils?|helpers?|common|misc|types|constants)\\.tsx?$',
      },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    includeOnly: {
      path: '^(src|tests|tools|e2e|bench|verify|verify-licence|verify-bill|node_modules)|^node:',
    },
    exclude: { path: '^(dist|data)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    reporterOptions: {
      mermaid: { minify: false },
    },
  },
};
