// Paper is white: while a page is printed it wears the light theme, whatever is on.
import { useEffect } from 'react';
import { themeAttribute } from './theme.ts';

/** For screens made to be printed, by their own button or the browser's. */
export function usePrintInLight(): void {
  useEffect(() => {
    const { documentElement } = document;
    let before: string | null = null;
    const wear = () => {
      before = documentElement.getAttribute(themeAttribute);
      documentElement.setAttribute(themeAttribute, 'light');
    };
    const restore = () => before !== null && documentElement.setAttribute(themeAttribute, before);
    addEventListener('beforeprint', wear);
    addEventListener('afterprint', restore);
    return () => {
      removeEventListener('beforeprint', wear);
      removeEventListener('afterprint', restore);
    };
  }, []);
}
