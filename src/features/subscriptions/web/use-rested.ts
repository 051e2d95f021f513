// What stood there when a moving hand last rested: the server is asked for that, not for every step on the way.
import { useEffect, useState } from 'react';

const restMs = 250;

/** `now`, once it has stayed the same for a moment. */
export function useRested(now: string): string {
  const [rested, setRested] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setRested(now), restMs);
    return () => clearTimeout(timer);
  }, [now]);
  return rested;
}
