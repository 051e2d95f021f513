// The kit on one page, while developing only.
import { Page } from '#platform/web/ui/Page.tsx';

export function Gallery() {
  return <Page title="Gallery">…</Page>;
}
