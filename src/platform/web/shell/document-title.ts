// The document's title: the screen's own and the system's name.
import { useEffect } from 'react';
import { brandTitle } from '#kernel/brand-title.ts';
import { useBrand } from './brand.ts';

/** Sets document.title, and again when the language or the system's name changes. */
export function useDocumentTitle(title: string): void {
  const system = useBrand(brandTitle);
  useEffect(() => {
    document.title = title === system ? title : `${title} · ${system}`;
  }, [title, system]);
}
