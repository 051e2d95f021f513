// Rates from a spreadsheet: the cells that were copied become rows of a matrix.
import { isAmount, type ChargeFields } from './charge-fields.ts';

type Matrix = Pick<ChargeFields, 'dimensions' | 'rates'>;
type Rate = Matrix['rates'][number];

/** Whether pasted text is cells of a spreadsheet; one cell is pasted as any text is. */
export const isCells = (pasted: string): boolean => /[\t\n]/.test(pasted.trim());

/** A price as spreadsheets write it: without a currency's sign, spaces and the commas between thousands. */
const plainPrice = (cell: string): string => cell.replace(/[^\d.,-]/g, '').replaceAll(',', '');

const cellsOf = (pasted: string): string[][] =>
  pasted
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t').map((cell) => cell.trim()));

/**
 * A matrix with pasted cells from a row on: all columns but the last are values of the dimensions, the last is the price. A first line
 * whose last cell is no price has the names of the dimensions. One column alone fills the prices. No more than `most` rates.
 */
export function withPasted(matrix: Matrix, pasted: string, fromRow: number, most: number): Matrix {
  const lines = cellsOf(pasted);
  const width = Math.max(0, ...lines.map((line) => line.length));
  const first = lines[0] ?? [];
  const hasHead = width > 1 && lines.length > 1 && !isAmount(plainPrice(first.at(-1) ?? ''));
  const count = Math.max(matrix.dimensions.length, width - 1);
  const dimensions = Array.from(
    { length: count },
    (_, index) => (hasHead ? first[index] : undefined) ?? matrix.dimensions[index] ?? '',
  );
  const body = hasHead ? lines.slice(1) : lines;
  const fitted = (rate: Rate | undefined): string[] => dimensions.map((_, index) => rate?.values[index] ?? '');
  const rates: Rate[] = matrix.rates.map((rate) => ({ ...rate, values: fitted(rate) }));
  for (const [index, cells] of body.entries()) {
    const row = fromRow + index;
    if (row >= most) break;
    const before = rates[row];
    rates[row] = {
      values: width === 1 ? fitted(before) : dimensions.map((_, column) => valueAt(cells, column, width)),
      unitPrice: plainPrice(cells.length === width ? (cells.at(-1) ?? '') : ''),
      agreed: '',
    };
  }
  return { dimensions, rates };
}

/** The value in a column; '' for the columns that the pasted cells do not have. */
const valueAt = (cells: readonly string[], column: number, width: number): string =>
  column < width - 1 ? (cells[column] ?? '') : '';
