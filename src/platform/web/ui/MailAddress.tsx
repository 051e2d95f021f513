// An e-mail address that wraps after its @ if a line has no room for it, after the dots of a long one too,
// and elsewhere only if necessary.
import { withLineBreaks } from './line-breaks.tsx';

/** A longer domain would not fit a narrow column either. */
const longestWhole = 22;

export function MailAddress({ text }: { text: string }) {
  const domain = text.slice(text.indexOf('@') + 1);
  return withLineBreaks(text.split(domain.length > longestWhole ? /(?<=[@.])/ : /(?<=@)/));
}
