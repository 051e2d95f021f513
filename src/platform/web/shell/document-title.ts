// The document's title: the screen's own and the system's name.
import { useEffect } from 'react';
import { brandTitle, useBrand } from './brand.ts';

/** Sets document.title, in whatever language and under whatever name the system is now. */
export function useDocumentTitle(title: string): void {
  const system = useBrand(brandTitle);
  useEffect(() => {
    document.title = title === system ? title : `${title} · ${system}`;
  }, [title, system]);
}
