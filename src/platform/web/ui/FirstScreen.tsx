import { useEffect } from 'react';
import { noteFirstScreen } from '../loading/first-screen.ts';
import { useScreenLoaded } from './use-screen-loaded.ts';

/** Notes when the first screen stands. Beside the screen in its `Suspense`, so that it is rendered only when the screen's code and texts are there. */
export function FirstScreen() {
  const isLoaded = useScreenLoaded();
  useEffect(() => {
    if (isLoaded) noteFirstScreen();
  }, [isLoaded]);
  return null;
}
