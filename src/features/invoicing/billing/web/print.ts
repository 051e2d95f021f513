// A printed page uses the light theme, because paper is white.
import { useEffect } from 'react';
import { themeAttribute } from '#platform/web/theme/theme.ts';

/** For screens that can be printed, by their own button or the browser's. */
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
