// Translation files: GET /locales/{lng}/{ns}.json, made of the features' texts and the operator's changes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { languages, type Language } from '#kernel/language.ts';
import type { Namespaces, Texts } from '#kernel/text.ts';

const overrideShape = z.record(z.string(), z.string());
const rereadMs = 3_600_000;

/**
 * All texts of a language as one flat table; keys begin with their feature's name, so they cannot collide.
 */
export function allTexts(namespaces: Namespaces): Record<Language, Texts> {
  const merged = (language: Language): Texts =>
    Object.assign({}, ...Object.values(namespaces).map((each) => each[language])) as Texts;
  return { zhTW: merged('zhTW'), enUS: merged('enUS') };
}

/** The operator's changes: `<dataDir>/locales/{lng}/{ns}.json`, only keys that exist. */
function readOverrides(dataDir: string, namespaces: Namespaces, log: Logger): Map<string, Texts> {
  const found = new Map<string, Texts>();
  for (const language of languages) {
    const folder = join(dataDir, 'locales', language);
    let names: string[] = [];
    try {
      names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    } catch {
      // No folder: the operator has changed nothing, which is usual.
      continue;
    }
    for (const name of names) {
      const namespace = name.slice(0, -'.json'.length);
      const own = Object.hasOwn(namespaces, namespace) ? namespaces[namespace]?.[language] : undefined;
      try {
        const wanted = z.parse(overrideShape, JSON.parse(readFileSync(join(folder, name), 'utf8')));
        if (own)
          found.set(
            `${language}/${namespace}`,
            Object.fromEntries(Object.entries(wanted).filter(([key]) => Object.hasOwn(own, key))),
          );
      } catch (error) {
        log.error(
          { err: error, file: join(folder, name) },
          'changed sentences could not be read; the built-in ones are used',
        );
      }
    }
  }
  return found;
}

/** Serves the namespaces. Names come from a fixed list, so no path reaches the file system. */
export function serveLocales(
  fastify: FastifyInstance,
  options: { namespaces: Namespaces; dataDir: string; log: Logger; takeMissing: boolean },
): void {
  const { namespaces, dataDir, log } = options;
  let overrides = readOverrides(dataDir, namespaces, log);
  const timer = setInterval(() => {
    overrides = readOverrides(dataDir, namespaces, log);
  }, rereadMs);
  timer.unref();
  fastify.addHook('onClose', async () => clearInterval(timer));

  const find = (language: string, namespace: string): Texts | undefined => {
    const isLanguage = (languages as readonly string[]).includes(language);
    if (!isLanguage || !Object.hasOwn(namespaces, namespace)) return undefined;
    return { ...namespaces[namespace]?.[language as Language], ...overrides.get(`${language}/${namespace}`) };
  };
  fastify.get<{ Params: { lng: string; file: string } }>('/locales/:lng/:file', async (request, reply) => {
    const texts = request.params.file.endsWith('.json')
      ? find(request.params.lng, request.params.file.slice(0, -'.json'.length))
      : undefined;
    if (!texts) return reply.callNotFound();
    return reply.header('cache-control', 'public, max-age=300').send(texts);
  });
  // R-I18N-02: missing keys are reported during development only; otherwise the path does not exist.
  if (options.takeMissing) {
    fastify.post<{ Params: { lng: string; ns: string } }>(
      '/locales/add/:lng/:ns',
      { bodyLimit: 8192 },
      async (request, reply) => {
        if (!find(request.params.lng, request.params.ns)) return reply.callNotFound();
        log.warn(
          {
            language: request.params.lng,
            namespace: request.params.ns,
            keys: Object.keys((request.body as object | null) ?? {}),
          },
          'sentences are missing',
        );
        return { ok: true };
      },
    );
  }
}
