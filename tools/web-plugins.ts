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
