// An e-mail address that breaks after its @ and dots when a line has no room for it, and elsewhere only if it
// must.
import { Fragment } from 'react';

export function MailAddress({ text }: { text: string }) {
  return text.split(/(?<=[@.])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
