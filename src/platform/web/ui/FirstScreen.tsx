import { useEffect } from 'react';
import { noteFirstScreen } from '../loading/first-screen.ts';
import { useScreenLoaded } from './use-screen-loaded.ts';

/** A call without a response delays what loads after the screen for at most this long. */
const maxHeldMs = 5000;

/**
 * Records when the first screen is complete. Next to the screen in its `Suspense`, so that it is rendered
 * only when the screen's code and texts are loaded.
 */
export function FirstScreen() {
  const isLoaded = useScreenLoaded();
  useEffect(() => {
    if (isLoaded) noteFirstScreen();
  }, [isLoaded]);
  useEffect(() => {
    const timer = setTimeout(noteFirstScreen, maxHeldMs);
    return () => clearTimeout(timer);
  }, []);
  return null;
}
