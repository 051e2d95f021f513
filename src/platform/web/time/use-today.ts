// The current day for pages that stay open: it changes at midnight in its zone, and queries about the
// previous day are refetched.
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LocalDay } from '#kernel/shape.ts';
import { useNow } from './clock.ts';
import { dayNow } from './months.ts';
import { queryCache, refetchChanged } from '../api/queries.ts';

/**
 * The current day in a time zone (IANA name), checked every minute. When it changes, the queries of `keys`
 * are refetched.
 */
export function useToday(timeZone: string, keys: readonly QueryKey[]): LocalDay {
  useNow();
  const today = dayNow(timeZone);
  const shown = useRef(today);
  const plain = JSON.stringify(keys);
  useEffect(() => {
    if (shown.current === today) return;
    shown.current = today;
    for (const queryKey of JSON.parse(plain) as QueryKey[]) void refetchChanged(queryCache, queryKey);
  }, [today, plain]);
  return today;
}
