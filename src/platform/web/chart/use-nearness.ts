// Charts are drawn only when they come near the viewport: drawing one blocks a phone's processor for a tenth
// of a second or more.
import { useEffect, useState, type RefObject } from 'react';

/** How far outside the viewport an element counts as near. */
const margin = '100px 0px';

/** Whether an element is in or near the viewport, or the page is being printed; stays true from then on. */
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
