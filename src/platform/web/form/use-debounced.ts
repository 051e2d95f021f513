// Debounces typed text, so that the server is not called on every key.
import { useEffect, useState } from 'react';

/** The pause after which the server is called. */
const restMs = 300;

/** The value at the last pause in typing. */
export function useDebounced<T extends object | string>(now: T): T {
  const [rested, setRested] = useState(now);
  const text = JSON.stringify(now);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(text) as T), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
