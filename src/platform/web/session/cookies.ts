// Reads the cookies that scripts may read.

/** The value of one cookie in a `document.cookie` text; undefined when it is missing. */
export function cookieValue(cookies: string, name: string): string | undefined {
  const pair = cookies.split('; ').find((part) => part.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const raw = pair.slice(name.length + 1);
  try {
    return decodeURIComponent(raw);
  } catch {
    // Another application wrote a cookie with a stray '%': return its raw text.
    return raw;
  }
}
