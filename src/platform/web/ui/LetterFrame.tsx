// An e-mail as it was sent, in a frame of its own: nothing of it can run, follow a link by itself or reach the page around it.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useLayoutEffect, useRef, useState } from 'react';

const sheetPattern = /<style>([\s\S]*?)<\/style>/g;

/**
 * Writes the letter into the frame's document by the object model: the page's policy forbids inline styles in markup, in frames and
 * documents that are only parsed too, while styles that a script sets are the page's own. So they are taken out before it is parsed;
 * what somebody typed holds no quotes there (mail-letter.ts escapes them). Scripts are forbidden by the sandbox and by the policy.
 */
function write(frame: HTMLIFrameElement, html: string): number {
  const inner = frame.contentDocument;
  if (!inner?.defaultView) return 0;
  const { CSSStyleSheet: Sheet } = inner.defaultView as Window & typeof globalThis;
  inner.adoptedStyleSheets = [...html.matchAll(sheetPattern)].map(([, rules = '']) => {
    const sheet = new Sheet();
    sheet.replaceSync(rules);
    return sheet;
  });
  const letter = new DOMParser().parseFromString(
    html.replace(sheetPattern, '').replaceAll(' style="', ' data-style="'),
    'text/html',
  );
  for (const link of letter.querySelectorAll('a')) link.setAttribute('target', '_blank');
  inner.documentElement.lang = letter.documentElement.lang;
  inner.body.replaceWith(inner.adoptNode(letter.body));
  for (const element of [inner.body, ...inner.body.querySelectorAll<HTMLElement>('[data-style]')])
    element.style.cssText = element.dataset['style'] ?? '';
  return inner.documentElement.scrollHeight;
}

/** `title`: the subject, which names the frame. */
export function LetterFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(320);
  useLayoutEffect(() => {
    if (frame.current) setHeight(write(frame.current, html));
  }, [html]);
  return (
    <Box
      sx={{
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
        overflow: 'clip',
        width: '100%',
      }}
    >
      <Typography
        variant="subtitle2"
        component="p"
        sx={{
          padding: '10px 16px',
          borderBottom: '1px solid',
          borderColor: 'divider',
          bgcolor: 'sunken',
          overflowWrap: 'anywhere',
        }}
      >
        {title}
      </Typography>
      <Box
        component="iframe"
        ref={frame}
        title={title}
        sandbox="allow-same-origin allow-popups"
        sx={{
          display: 'block',
          width: '100%',
          height,
          border: 0,
          colorScheme: 'inherit',
          bgcolor: '#F5F7FA',
        }}
      />
    </Box>
  );
}
