// Charts further down are drawn when somebody comes near them: drawing one keeps a phone's processor busy for a tenth of a second and more.
import { useEffect, useState, type RefObject } from 'react';

/** How far from the window’s edge it begins. */
const margin = '100px 0px';

/** Whether an element is in the window or near it, or the page is to be printed; once it was, it stays so. */
export function useNearness(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const place = element.current;
    if (!place || isNear) return;
    const come = (): void => setNear(true);
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && come(),
      { rootMargin: margin },
    );
    observer.observe(place);
    addEventListener('beforeprint', come);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', come);
    };
  }, [element, isNear]);
  return isNear;
}
