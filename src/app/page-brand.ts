// Under whose name a page is seen, for its first picture: the application's code and its calls come later.
import { setTimeout as after } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { brandTitle } from '#kernel/brand-title.ts';
import { acceptedLanguage } from '#kernel/language.ts';
import { cookieOf } from '#platform/server/http/cookies.ts';
import type { PageBrand } from '#platform/server/http/pages.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { requestIdAt, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { brandOfPage } from '#features/operations/administration/server/index.ts';

/** How long a page waits for its brand, in milliseconds: without a database it comes without. */
const longestWaitMs = 500;

/** The brand of the page that a request gets; undefined when the database does not answer in time. */
export const pageBrandOf =
  (app: App) =>
  async (request: FastifyRequest): Promise<PageBrand | undefined> => {
    const read = unitOfWork(
      app,
      {
        actor: { kind: 'anonymous' },
        language: acceptedLanguage(request.headers['accept-language']),
        requestId: requestIdAt(app.clock.now()),
        mode: 'read',
      },
      (ctx) => brandOfPage(ctx, cookieOf(app, request, 'session'), request.host),
    ).catch((error: unknown) => {
      app.log.debug({ err: error }, 'a page was sent without its brand');
      return undefined;
    });
    const brand = await Promise.race([read, after(longestWaitMs, undefined, { ref: false })]);
    return (
      brand && {
        title: brandTitle(brand),
        data: brand,
      }
    );
  };
