// What the build of the browser side does beside what Vite and React's plug-in do.
import iconify from 'unplugin-icons/vite';
import { readFileSync } from 'node:fs';
import { transformWithOxc, type Plugin, type PluginOption } from 'vite';
import { withLanguageTags } from './language-tags.ts';

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

/** The page's `lang` before any script of the console runs. */
export const languageTags = (): Plugin => ({
  name: 'language-tags',
  transformIndexHtml: (page) => withLanguageTags(page),
});

/**
 * Lets index.html ask for what a kind of page is certain to need before the entry has been read, which alone knows what comes next.
 * `kinds`: by the name of a kind, the names of its chunks; what they import comes with them.
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

/** The script by which other sites show the portal: the client's own source, as a file of its own under a lasting name. */
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
