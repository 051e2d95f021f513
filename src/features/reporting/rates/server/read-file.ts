// The European Central Bank's files: CSV, XML, or either in a ZIP.
import { create } from 'xmlbuilder2';
import { fromBufferPromise } from 'yauzl';
import { buffer } from 'node:stream/consumers';
import { domainError } from '#kernel/errors.ts';
import { ratesErrors } from '../contract.ts';
import { euroRate, euroRatesOfCsv, type EuroRate } from '../rules.ts';

/** The largest accepted size of an unpacked archive entry. */
const maxUnpacked = 64 * 1024 * 1024;
const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/**
 * Reads the rates of a file.
 * @throws DomainError when it is empty, has another format, or has no rate of a supported currency
 */
export async function readRatesFile(bytes: Buffer): Promise<EuroRate[]> {
  if (bytes.length === 0) throw domainError(ratesErrors, 'rates.file_empty');
  const text = new TextDecoder('utf-8').decode(isZip(bytes) ? await unpacked(bytes) : bytes);
  const found = text.trimStart().startsWith('<') ? ofXml(text) : euroRatesOfCsv(text);
  if (found === undefined) throw domainError(ratesErrors, 'rates.file_unreadable');
  if (found.length === 0) throw domainError(ratesErrors, 'rates.file_without_rates');
  return found;
}

async function unpacked(bytes: Buffer): Promise<Buffer> {
  try {
    const archive = await fromBufferPromise(bytes);
    for await (const entry of archive.eachEntry())
      if (/\.(csv|xml)$/i.test(entry.fileName) && entry.uncompressedSize <= maxUnpacked)
        return await buffer(await archive.openReadStreamPromise(entry));
  } catch (error) {
    // Whatever error yauzl reports for an archive, the user can only upload another file.
    if (!(error instanceof Error)) throw error;
  }
  throw domainError(ratesErrors, 'rates.file_unreadable');
}

/** Parses `<Cube time="2026-11-25"><Cube currency="USD" rate="1.0473"/>…`; undefined when it is not XML. */
function ofXml(text: string): EuroRate[] | undefined {
  try {
    const found: EuroRate[] = [];
    let day = '';
    create(text).each(
      (node) => {
        const attribute = (name: string): string => {
          const { node: element } = node;
          return 'getAttribute' in element && typeof element.getAttribute === 'function'
            ? String(element.getAttribute(name) ?? '')
            : '';
        };
        if (attribute('time') !== '') day = attribute('time');
        if (attribute('currency') !== '')
          found.push(...euroRate(day, attribute('currency'), attribute('rate')));
      },
      false,
      true,
    );
    return found;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
