// Tables as Excel workbooks (Office Open XML), generated while they are sent: rows are not buffered, and no
// text runs as a formula.
import { assert } from '#kernel/assert.ts';
import type { CsvCell } from './csv.ts';
import { zipOf } from './zip.ts';

export const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** The maximum number of rows of a sheet, without its header. */
export const maxSheetRows = 1_048_575;

// Spreadsheets store 15 digits of a number exactly; longer figures are written as text, so that no digit is
// lost.
const exactDigits = 15;
const maxFractionDigits = 12;
const [headStyle, textStyle, firstFigureStyle] = [1, 2, 3];
const chunkLength = 32_768;

/**
 * A workbook with one sheet. Rows are taken from the source as they are read; a reader that stops also ends
 * the source.
 */
export function xlsxOf(
  title: string,
  header: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
): AsyncGenerator<Buffer, void, void> {
  return zipOf([
    { name: '[Content_Types].xml', content: [contentTypes] },
    { name: '_rels/.rels', content: [rootRelations] },
    { name: 'xl/workbook.xml', content: [workbook(title)] },
    { name: 'xl/_rels/workbook.xml.rels', content: [workbookRelations] },
    { name: 'xl/styles.xml', content: [styles()] },
    { name: 'xl/worksheets/sheet1.xml', content: sheet(header, rows) },
  ]);
}

async function* sheet(
  header: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
): AsyncGenerator<string, void, void> {
  const letters = header.map((_, index) => columnLetters(index));
  const widths = header
    .map(
      (text, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${Math.min(40, Math.max(12, text.length * 2))}" customWidth="1"/>`,
    )
    .join('');
  let chunk = `${declaration}<worksheet xmlns="${spreadsheetMl}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths}</cols><sheetData>`;
  let number = 1;
  const line = (cells: string[]): string => `<row r="${number}">${cells.join('')}</row>`;
  chunk += line(header.map((text, index) => textCell(`${letters[index]}${number}`, text, headStyle)));
  for await (const row of rows) {
    assert(
      row.length === header.length && number <= maxSheetRows,
      'a row has a cell for each column, and a sheet an end',
    );
    number += 1;
    chunk += line(row.map((cell, index) => cellXml(`${letters[index]}${number}`, cell)));
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}</sheetData></worksheet>`;
}

function cellXml(place: string, cell: CsvCell): string {
  if (typeof cell === 'string') return cell === '' ? '' : textCell(place, cell, textStyle);
  const fraction = cell.figure.split('.')[1]?.length ?? 0;
  const digits = cell.figure.replace(/^-/, '').replace('.', '').replace(/^0+/, '').length;
  if (digits > exactDigits || fraction > maxFractionDigits) return textCell(place, cell.figure, textStyle);
  return `<c r="${place}" s="${firstFigureStyle + fraction}"><v>${cell.figure}</v></c>`;
}

const textCell = (place: string, text: string, style: number): string =>
  `<c r="${place}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

/**
 * Escapes a text for XML. Characters that XML cannot represent are dropped. Excel decodes `_x0041_` as a
 * character, so the first underscore of such a text is escaped the same way.
 */
function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '_x000D_')
  );
}

/** 0 → A, 25 → Z, 26 → AA. */
function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheetMl = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const contentTypes = `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`;
const rootRelations = `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const workbookRelations = `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`;

/** A sheet's name has at most 31 characters and none of `[]:*?/\`. */
const workbook = (title: string): string =>
  `${declaration}<workbook xmlns="${spreadsheetMl}" xmlns:r="${officeRelations}"><sheets><sheet name="${xmlText(title.replaceAll(/[[\]:*?/\\'"]/g, ' ').slice(0, 31))}" sheetId="1" r:id="rId1"/></sheets></workbook>`;

/** Styles: plain, header, text, and one for each number of fraction digits, so that a figure shows all its digits. */
function styles(): string {
  const firstFormat = 164;
  const formats = Array.from(
    { length: maxFractionDigits + 1 },
    (_, digits) =>
      `<numFmt numFmtId="${firstFormat + digits}" formatCode="${digits === 0 ? '0' : `0.${'0'.repeat(digits)}`}"/>`,
  );
  const figures = formats.map(
    (_, digits) =>
      `<xf numFmtId="${firstFormat + digits}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  return (
    `${declaration}<styleSheet xmlns="${spreadsheetMl}"><numFmts count="${formats.length}">${formats.join('')}</numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${3 + figures.length}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>${figures.join('')}</cellXfs></styleSheet>`
  );
}
