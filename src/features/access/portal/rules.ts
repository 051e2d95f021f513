// Rules of the portal that its page and the server share: what a link's session hears live.
import type { PortalPage } from './contract.ts';

/** The topics of the organization that tell of what a page shows. Messages say what kind of thing changed, and nothing of it. */
const topicsOfPage: Readonly<Record<PortalPage, readonly string[]>> = {
  usage: ['usage'],
  bills: ['bills', 'usage'],
  paymentMethods: ['bills'],
  subscriptions: ['usage'],
};

/** Where the end of a link's session is told. */
export const sessionTopic = (linkId: string): string => `portal/${linkId}/sessions`;

/** The topics that a link's session may subscribe to: the end of the session, and what its pages show. */
export function portalTopics(
  linkId: string,
  organizationId: string,
  pages: readonly PortalPage[],
): readonly string[] {
  const kinds = new Set(pages.flatMap((page) => topicsOfPage[page]));
  return [sessionTopic(linkId), ...[...kinds].map((kind) => `org/${organizationId}/${kind}`)];
}
