// An e-mail address that wraps after its @ if a line has no room for it, after the dots of a long one too,
// and elsewhere only if necessary.
import { Fragment } from 'react';

/** A longer domain would not fit a narrow column either. */
const longestWhole = 22;

export function MailAddress({ text }: { text: string }) {
  const domain = text.slice(text.indexOf('@') + 1);
  return text.split(domain.length > longestWhole ? /(?<=[@.])/ : /(?<=@)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
