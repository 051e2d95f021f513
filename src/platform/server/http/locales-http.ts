// Translation files: GET /locales/{lng}/{ns}.json, or several joined by `+`; the features' texts merged with
// the operator's changes.
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { contentLanguages, isContentLanguage } from '#kernel/language.ts';
import type { Namespaces, Texts } from '#kernel/text.ts';
import { hourMs } from '#kernel/durations.ts';
import { readText, type FileStore } from '../files/store/file-store.ts';
import { textsAt } from './joined-texts.ts';
import type { LanguageFolder } from './language-folders.ts';

const changePattern = /^locales\/([A-Za-z]+)\/([a-z0-9]+)\.json$/;
const changeShape = z.record(z.string(), z.string());
const rereadMs = hourMs;
/** A tenth smaller than the plug-in's 4, for 10 ms more; 11 would take ten times as long for another tenth. */
const brotliQuality = 6;

/** All texts of each language as one flat table; keys begin with their feature's name, so they cannot collide. */
export function allTexts(
  namespaces: Namespaces,
  packs: readonly LanguageFolder[],
): Readonly<Record<string, Texts>> {
  const merged = (tables: readonly Texts[]): Texts => Object.assign({}, ...tables) as Texts;
  return Object.fromEntries([
    ...contentLanguages.map((language) => [
      language,
      merged(Object.values(namespaces).map((each) => each[language])),
    ]),
    ...packs.map(({ pack, texts }) => [pack.code, merged([...texts.values()])]),
  ]);
}

/**
 * The texts of a namespace in a language; for a language pack, only the texts that it has. Undefined for an
 * unknown language or namespace.
 */
function builtInTexts(
  { namespaces, packs }: Pick<Served, 'namespaces' | 'packs'>,
  language: string,
  namespace: string,
): Texts | undefined {
  if (!Object.hasOwn(namespaces, namespace)) return undefined;
  if (isContentLanguage(language)) return namespaces[namespace]?.[language];
  const folder = packs.find(({ pack }) => pack.code === language);
  return folder && (folder.texts.get(namespace) ?? {});
}

/**
 * The operator's changes: the files `locales/{lng}/{ns}.json`, restricted to existing keys. Unreadable files
 * are skipped and logged.
 */
async function readChanges(served: Served): Promise<ReadonlyMap<string, Texts>> {
  const { files, namespaces, log } = served;
  const found = new Map<string, Texts>();
  for (const { name } of await files.list('locales')) {
    const [, language = '', namespace = ''] = changePattern.exec(name) ?? [];
    if (builtInTexts(served, language, namespace) === undefined) continue;
    const own: Texts = { ...namespaces[namespace]?.enUS };
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

type Served = {
  readonly namespaces: Namespaces;
  readonly packs: readonly LanguageFolder[];
  readonly files: FileStore;
  readonly log: Logger;
};

/**
 * Serves the namespaces. Names come from a fixed list, so no path reaches the file system. Changes are read
 * now and every hour.
 */
export async function serveLocales(
  fastify: FastifyInstance,
  options: Served & { readonly takeMissing: boolean },
): Promise<void> {
  const { log } = options;
  let changes: ReadonlyMap<string, Texts> = new Map();
  const readAgain = async (): Promise<void> => {
    try {
      changes = await readChanges(options);
    } catch (error) {
      // The bucket did not respond; the changes read before stay in effect.
      log.error({ err: error }, 'changed sentences could not be read');
    }
  };
  await readAgain();
  const timer = setInterval(() => void readAgain(), rereadMs);
  timer.unref();
  fastify.addHook('onClose', async () => clearInterval(timer));

  const find = (language: string, namespace: string): Texts | undefined => {
    const texts = builtInTexts(options, language, namespace);
    return texts && { ...texts, ...changes.get(`${language}/${namespace}`) };
  };
  // Only these responses are compressed on the fly; pages and their code are compressed at build time.
  await fastify.register(compress, {
    globalCompression: false,
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
  });
  fastify.get<{ Params: { lng: string; file: string } }>('/locales/:lng/:file', async (request, reply) => {
    const texts = textsAt(find, request.params.lng, request.params.file);
    if (!texts) return reply.callNotFound();
    return reply
      .headers({ 'cache-control': 'public, max-age=300', vary: 'accept-encoding' })
      .type('application/json; charset=utf-8')
      .compress(JSON.stringify(texts));
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
