// The portal: links by which a provider shows a customer's own pages inside a page of its own.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, language, optionalText, text } from '#kernel/shape.ts';

/** What a link can show, in the order of the tabs. */
export const portalPages = ['usage', 'bills', 'paymentMethods', 'subscriptions'] as const;
export type PortalPage = (typeof portalPages)[number];
export const portalModes = ['light', 'dark', 'auto'] as const;
/** How long a link can be opened, in seconds. */
export const linkSeconds = 300;
/** How long a session lasts at most, in minutes. */
export const longestSessionMinutes = 60;
/** How many origins can be allowed. */
export const mostOrigins = 20;
/** What the exchange answers begins with, so that leaked ones are recognised. */
export const portalTokenPrefix = 'skyportal_';
/** The page that shows the portal. */
/** What a host page loads to show it; made of the client's source. */
export const embedScript = 'embed.js';
export const portalPaths = { embed: '/embed' } as const;

const origin = z.string().check(z.minLength(1), z.maxLength(200));
const page = z.enum(portalPages);
const theme = {
  mode: z.enum(portalModes),
  /** `#RRGGBB`; null: the console's own colour. */
  accent: z.nullable(z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/))),
};
const Theme = z.strictObject(theme);
export type PortalTheme = z.output<typeof Theme>;

export const PortalSettings = z.strictObject({
  /** Which pages may show the portal in a frame, as exact origins. */
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
  /** Whom the host page named; empty: nobody. */
  actor: z.string(),
  /** Who made it. */
  createdBy: z.string(),
  /** With which key; null: by hand. */
  key: z.nullable(z.string()),
  createdAt: instant,
  state: z.enum(portalStates),
  /** When it ends by itself. */
  expiresAt: instant,
});
export type PortalSession = z.output<typeof PortalSession>;

/** What an opened link is for; the token is kept in memory and sent with each call. */
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
    saidOnce: ['url'],
    summary: 'Create a portal link',
    description:
      'A link to an organization’s own pages. It opens once, within five minutes, and the session it starts ends within an hour.',
    input: z.strictObject({
      ...one,
      pages: z.array(page).check(z.minLength(1), z.maxLength(portalPages.length)),
      /** Whether bills can be paid, cards saved and plans changed; false: only looked at. */
      mayChange: z.boolean(),
      language: z.optional(language),
      theme: z.optional(z.strictObject({ mode: z.optional(theme.mode), accent: z.optional(theme.accent) })),
      /** Where links out of the portal lead; an address of https. */
      returnUrl: z.optional(z.string().check(z.minLength(1), z.maxLength(2000))),
      /** The origins that may show it in a frame, among those of the settings; none: it is opened by itself. */
      origins: z.optional(z.array(origin).check(z.maxLength(mostOrigins))),
      /** What your system calls the person who looks; for the audit log. */
      actor: z.optional(optionalText(200)),
      /** How long what it opens lasts, in minutes; 60 when left out. */
      sessionMinutes: z.optional(z.int().check(z.minimum(5), z.maximum(longestSessionMinutes))),
    }),
    output: z.strictObject({
      id: id('plk'),
      /** Said once; a repeat with the same Idempotency-Key gets null. */
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
