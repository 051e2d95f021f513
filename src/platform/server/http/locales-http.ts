// Translation files: GET /locales/{lng}/{ns}.json, made of the features' texts and the operator's changes.
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { languages, type Language } from '#kernel/language.ts';
import type { Namespaces, Texts } from '#kernel/text.ts';
import { readText, type FileStore } from '../files/store/file-store.ts';

const changePattern = /^locales\/([A-Za-z]+)\/([a-z]+)\.json$/;
const changeShape = z.record(z.string(), z.string());
const rereadMs = 3_600_000;

/**
 * All texts of a language as one flat table; keys begin with their feature's name, so they cannot collide.
 */
export function allTexts(namespaces: Namespaces): Record<Language, Texts> {
  const merged = (language: Language): Texts =>
    Object.assign({}, ...Object.values(namespaces).map((each) => each[language])) as Texts;
  return { zhTW: merged('zhTW'), enUS: merged('enUS') };
}

/** The operator's changes: the files `locales/{lng}/{ns}.json`, only keys that exist. What cannot be read is left out and logged. */
async function readChanges(
  files: FileStore,
  namespaces: Namespaces,
  log: Logger,
): Promise<ReadonlyMap<string, Texts>> {
  const found = new Map<string, Texts>();
  for (const { name } of await files.list('locales')) {
    const [, language = '', namespace = ''] = changePattern.exec(name) ?? [];
    const isKnown = isLanguage(language) && Object.hasOwn(namespaces, namespace);
    const own = isKnown ? namespaces[namespace]?.[language] : undefined;
    if (own === undefined) continue;
    try {
      const wanted = z.parse(changeShape, JSON.parse((await readText(files, name)) ?? '{}'));
      found.set(
        `${language}/${namespace}`,
        Object.fromEntries(Object.entries(wanted).filter(([key]) => Object.hasOwn(own, key))),
      );
    } catch (error) {
      log.error(
        { err: error, file: name },
        'changed sentences could not be read; the built-in ones are used',
      );
    }
  }
  return found;
}

const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);

/** Serves the namespaces. Names come from a fixed list, so no path reaches the files. Changes are read now and every hour. */
export async function serveLocales(
  fastify: FastifyInstance,
  options: { namespaces: Namespaces; files: FileStore; log: Logger; takeMissing: boolean },
): Promise<void> {
  const { namespaces, files, log } = options;
  let changes: ReadonlyMap<string, Texts> = new Map();
  const readAgain = async (): Promise<void> => {
    try {
      changes = await readChanges(files, namespaces, log);
    } catch (error) {
      // A bucket that does not answer: what was read before goes on counting.
      log.error({ err: error }, 'changed sentences could not be read');
    }
  };
  await readAgain();
  const timer = setInterval(() => void readAgain(), rereadMs);
  timer.unref();
  fastify.addHook('onClose', async () => clearInterval(timer));

  const find = (language: string, namespace: string): Texts | undefined => {
    if (!isLanguage(language) || !Object.hasOwn(namespaces, namespace)) return undefined;
    return { ...namespaces[namespace]?.[language], ...changes.get(`${language}/${namespace}`) };
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
