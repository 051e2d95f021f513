// What somebody types, once they pause: for asking the server about it.
import { useEffect, useState } from 'react';

/** A pause in typing this long asks the server. */
const restMs = 300;

/** What stood there when typing last rested. */
export function useRested<T extends object>(now: T): T {
  const [rested, setRested] = useState(now);
  const text = JSON.stringify(now);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(text) as T), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
