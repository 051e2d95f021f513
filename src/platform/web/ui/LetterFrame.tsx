// An e-mail as it was sent, in a sandboxed frame: it runs no script, follows no link, and cannot access the
// page around it.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useLayoutEffect, useRef, useState } from 'react';

const sheetPattern = /<style>([\s\S]*?)<\/style>/g;

/**
 * Builds the letter in the frame's document through the DOM. The page's policy forbids inline styles in
 * markup, also in frames and parsed documents, but allows styles set by a script; so the style attributes are
 * extracted before the text is parsed. A user's text cannot contain quotes there, because mail-letter.ts
 * escapes them. The sandbox and the policy forbid scripts.
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

/** `title` is the subject, which is the frame's accessible name. */
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
