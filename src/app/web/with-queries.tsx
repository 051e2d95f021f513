// Parts outside of the frame that ask the server; visitors of the other pages are not given the library for it.
import type { ComponentType } from 'react';

/** `fetched(withQueries(loadBanner))` */
export const withQueries =
  <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  async (): Promise<ComponentType<Props>> => {
    const [Part, { Queries }] = await Promise.all([load(), import('#platform/web/Queries.tsx')]);
    return (props) => (
      <Queries>
        <Part {...props} />
      </Queries>
    );
  };
