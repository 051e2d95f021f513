// Reads cookies that a page may see.

/** The value of one cookie in a document.cookie text; undefined when it is not there. */
export function cookieValue(cookies: string, name: string): string | undefined {
  const pair = cookies.split('; ').find((part) => part.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const raw = pair.slice(name.length + 1);
  try {
    return decodeURIComponent(raw);
  } catch {
    // A cookie that somebody else wrote with a stray '%': its raw text is as good as it gets.
    return raw;
  }
}
