// Build plug-ins for the browser application, in addition to Vite's own and React's.
import iconify from 'unplugin-icons/vite';
import { readFileSync } from 'node:fs';
import { transformWithOxc, type Plugin, type PluginOption } from 'vite';
import { withLanguageTags } from './language-tags.ts';

/** `~icons/ic/outline-add` is Google's drawing as an MUI icon component. MUI's own icon package would take 170 MB. */
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

/** Sets the page's `lang` before any script of the console runs. */
export const languageTags = (): Plugin => ({
  name: 'language-tags',
  transformIndexHtml: (page) => withLanguageTags(page),
});

/**
 * Makes index.html preload what a kind of page certainly needs, before the entry script runs, which otherwise
 * determines what is loaded next. `kinds`: for each kind, the names of its chunks; their imports are
 * included.
 */
export const earlyFiles = (kinds: Readonly<Record<string, readonly string[]>>): Plugin => ({
  name: 'early-files',
  transformIndexHtml: {
    order: 'post',
    handler: (page, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const withImports = (file: string, found = new Set<string>()): Set<string> => {
        const chunk = chunks.find(({ fileName }) => fileName === file);
        if (!chunk || chunk.isEntry || found.has(file)) return found;
        found.add(file);
        for (const imported of chunk.imports) withImports(imported, found);
        return found;
      };
      const early = Object.entries(kinds).map(([kind, names]) => {
        const own = chunks.filter(({ name }) => names.includes(name));
        const missing = names.filter((name) => !own.some((chunk) => chunk.name === name));
        if (chunks.length > 0 && missing.length > 0)
          throw new Error(`no chunk is called ${missing.join(', ')}`);
        return [
          kind,
          [...new Set(own.flatMap(({ fileName }) => [...withImports(fileName)]))].map((file) => `/${file}`),
        ];
      });
      return page.replace("'__EARLY_FILES__'", JSON.stringify(Object.fromEntries(early)));
    },
  },
});

/**
 * The script with which other sites embed the portal: built from the client's source, as a separate file with
 * a stable name.
 */
export function embedScript(): Plugin {
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
