// How cookies are named, and when they are secure.
import type { FastifyRequest } from 'fastify';
import type { App } from '../unit-of-work/ctx.ts';

/** Whether the browser uses TLS, directly or through a trusted proxy. */
export const isSecure = (app: App, request: FastifyRequest): boolean =>
  (app.config.publicUrl ?? '').startsWith('https:') || request.protocol === 'https';

/**
 * The name under which a browser keeps one of our cookies: browsers accept a `__Host-` cookie only over TLS;
 * plain http is for the machine itself and for development.
 */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/** The value of one of our cookies in a request; undefined when the browser sent none. */
export const cookieOf = (app: App, request: FastifyRequest, name: string): string | undefined =>
  request.server.parseCookie(request.headers.cookie ?? '')[cookieName(name, isSecure(app, request))];
