// Rules of the portal that its page and the server share: the live topics of a link's session.
import type { PortalPage } from './contract.ts';

/**
 * The organization's topics for the data on each page. Messages tell only which kind of thing changed, and
 * none of its contents.
 */
const topicsOfPage: Readonly<Record<PortalPage, readonly string[]>> = {
  usage: ['usage'],
  bills: ['bills', 'usage'],
  paymentMethods: ['bills'],
  subscriptions: ['usage'],
};

/** The topic on which the end of a link's session is published. */
export const sessionTopic = (linkId: string): string => `portal/${linkId}/sessions`;

/** The topics to which a link's session can subscribe: the end of the session, and the data on its pages. */
export function portalTopics(
  linkId: string,
  organizationId: string,
  pages: readonly PortalPage[],
): readonly string[] {
  const kinds = new Set(pages.flatMap((page) => topicsOfPage[page]));
  return [sessionTopic(linkId), ...[...kinds].map((kind) => `org/${organizationId}/${kind}`)];
}
