// An e-mail address that breaks behind its @ and dots where a line has no room for it, and nowhere else while that helps.
import { Fragment } from 'react';

export function MailAddress({ text }: { text: string }) {
  return text.split(/(?<=[@.])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
