// The portal: links with which a provider embeds a customer's own pages in a page of its own.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, language, optionalText, text } from '#kernel/shape.ts';

/** The pages that a link can show, in the order of the tabs. */
export const portalPages = ['usage', 'bills', 'paymentMethods', 'subscriptions'] as const;
export type PortalPage = (typeof portalPages)[number];
export const portalModes = ['light', 'dark', 'auto'] as const;
/** How long a link can be opened, in seconds. */
export const linkSeconds = 300;
/** The longest lifetime of a session, in minutes. */
export const longestSessionMinutes = 60;
/** The largest number of allowed origins. */
export const mostOrigins = 20;
/** The prefix of session tokens, by which secret scanners recognize leaked ones. */
export const portalTokenPrefix = 'skyportal_';
/** The script that a host page loads to embed the portal; built from the client's source. */
export const embedScript = 'embed.js';
/** The path of the page that shows the portal. */
export const portalPaths = { embed: '/embed' } as const;

const origin = z.string().check(z.minLength(1), z.maxLength(200));
const page = z.enum(portalPages);
const theme = {
  mode: z.enum(portalModes),
  /** `#RRGGBB`; null: the console's own color. */
  accent: z.nullable(z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/))),
};
const Theme = z.strictObject(theme);
export type PortalTheme = z.output<typeof Theme>;

export const PortalSettings = z.strictObject({
  /** The pages that may embed the portal in a frame, as exact origins. */
  origins: z.array(origin).check(z.maxLength(mostOrigins)),
});
export type PortalSettings = z.output<typeof PortalSettings>;

export const portalStates = ['unopened', 'open'] as const;
/** A link that can still be opened, or the open session of one. */
export const PortalSession = z.strictObject({
  id: id('plk'),
  pages: z.array(page),
  mayChange: z.boolean(),
  origins: z.array(z.string()),
  /** The user that the host page named; empty: none. */
  actor: z.string(),
  /** The name of its creator. */
  createdBy: z.string(),
  /** The key with which it was created; null: created by hand. */
  key: z.nullable(z.string()),
  createdAt: instant,
  state: z.enum(portalStates),
  /** When it expires. */
  expiresAt: instant,
});
export type PortalSession = z.output<typeof PortalSession>;

/** The session of an opened link; the token is kept in memory and sent with each call. */
export const OpenedPortal = z.strictObject({
  token: z.string(),
  expiresAt: instant,
  linkId: id('plk'),
  organizationId: id('org'),
  organization: z.string(),
  pages: z.array(page),
  mayChange: z.boolean(),
  language,
  theme: Theme,
  returnUrl: z.nullable(z.string()),
  origins: z.array(z.string()),
});
export type OpenedPortal = z.output<typeof OpenedPortal>;

const admin = { roles: ['Admin'] } as const;
const one = { organizationId: id('org') };

export const portal = contract({
  getSettings: route({
    method: 'GET',
    path: '/admin/portal-settings',
    access: admin,
    summary: 'Get portal settings',
    description: 'Which origins may embed the customer portal in a frame.',
    input: noInput,
    output: PortalSettings,
  }),
  saveSettings: route({
    method: 'PUT',
    path: '/admin/portal-settings',
    access: admin,
    fresh: true,
    summary: 'Update portal settings',
    description:
      'Sets exact origins, such as `https://portal.example.com`. An origin that you remove can’t show the portal from then on.',
    input: PortalSettings,
    output: PortalSettings,
  }),
  createLink: route({
    method: 'POST',
    path: '/admin/organizations/:organizationId/portal-links',
    access: admin,
    status: 201,
    perMinute: 300,
    idempotent: true,
    returnedOnce: ['url'],
    summary: 'Create a portal link',
    description:
      'A link to an organization’s own pages. It opens once, within five minutes, and the session it starts ends within an hour.',
    input: z.strictObject({
      ...one,
      pages: z.array(page).check(z.minLength(1), z.maxLength(portalPages.length)),
      /** Whether bills can be paid, cards saved and plans changed; false: read-only. */
      mayChange: z.boolean(),
      language: z.optional(language),
      theme: z.optional(z.strictObject({ mode: z.optional(theme.mode), accent: z.optional(theme.accent) })),
      /** The HTTPS address to which links out of the portal lead. */
      returnUrl: z.optional(z.string().check(z.minLength(1), z.maxLength(2000))),
      /** The origins, among those of the settings, that may embed it; empty: it is opened outside a frame. */
      origins: z.optional(z.array(origin).check(z.maxLength(mostOrigins))),
      /** Your system's name for the person who opens it; for the audit log. */
      actor: z.optional(optionalText(200)),
      /** The lifetime of the session, in minutes; 60 when omitted. */
      sessionMinutes: z.optional(z.int().check(z.minimum(5), z.maximum(longestSessionMinutes))),
    }),
    output: z.strictObject({
      id: id('plk'),
      /** Returned once; a repeat with the same Idempotency-Key gets null. */
      url: z.nullable(z.string()),
      /** Until when it can be opened. */
      expiresAt: instant,
    }),
  }),
  listSessions: route({
    method: 'GET',
    path: '/admin/organizations/:organizationId/portal-sessions',
    access: admin,
    summary: 'List portal sessions',
    description: 'An organization’s unopened links and open sessions, newest first, up to 100.',
    input: z.strictObject(one),
    output: z.strictObject({ items: z.array(PortalSession) }),
  }),
  revokeSession: route({
    method: 'DELETE',
    path: '/admin/organizations/:organizationId/portal-sessions/:portalLinkId',
    access: admin,
    summary: 'Revoke a portal session',
    description: 'Ends an open session, or withdraws an unopened link, immediately.',
    input: z.strictObject({ ...one, portalLinkId: id('plk') }),
    output: nothing,
  }),
  openLink: route({
    method: 'POST',
    path: '/portal/session',
    access: 'public',
    perMinute: 60,
    summary: 'Open a portal link',
    description: 'Exchanges the link’s token for a session token. Works once.',
    input: z.strictObject({ token: text(200) }),
    output: OpenedPortal,
  }),
});

export const portalErrors = {
  'portal.organization_closed': 409,
  'portal.origin_wrong': 400,
  'portal.origin_not_allowed': 422,
  'portal.accent_pale': 422,
  'portal.return_wrong': 400,
  'portal.link_invalid': 404,
  'portal.link_used': 410,
  'portal.link_expired': 410,
  'portal.session_not_found': 404,
} as const satisfies ErrorTable;
