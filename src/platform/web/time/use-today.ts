// The day it is, for pages that stay open: it turns at midnight of its zone, and what was asked for the day before is asked again.
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LocalDay } from '#kernel/shape.ts';
import { useNow } from './clock.ts';
import { dayNow } from './months.ts';
import { queryCache } from '../api/queries.ts';

/** The day it is now in a time zone (IANA name); looked at every minute. When it turns, the queries of `keys` are asked anew. */
export function useToday(timeZone: string, keys: readonly QueryKey[]): LocalDay {
  useNow();
  const today = dayNow(timeZone);
  const shown = useRef(today);
  const plain = JSON.stringify(keys);
  useEffect(() => {
    if (shown.current === today) return;
    shown.current = today;
    for (const queryKey of JSON.parse(plain) as QueryKey[]) void queryCache.invalidateQueries({ queryKey });
  }, [today, plain]);
  return today;
}
