// The child process that reads the files of one import and aggregates their lines; read-costs.ts starts it
// and limits its time and memory.
import { once } from 'node:events';
import { chunksOf } from '#kernel/chunks.ts';
import { required } from '#kernel/assert.ts';
import { obeyConsole } from '#platform/server/processes/child-side.ts';
import type { CostFormat } from '../contract.ts';
import { CostSums, TooManyLines, type PeriodTotal } from '../rules-aggregate.ts';
import { costText } from '../rules-exact.ts';
import { formatOf, isContractCommitments, linesOf } from '../rules-formats.ts';
import { RowMistake } from '../rules-line.ts';
import type { ReadMessage, ReadMistake, ReadTask, ReadTotal } from './read-task.ts';
import { rowsOf, Unreadable, type Budget } from './read-tables.ts';

const linesAtOnce = 2000;
const progressRows = 5000;

/** Sends a message and waits until it was taken, so that messages do not pile up between the processes. */
async function tell(message: ReadMessage): Promise<void> {
  const taken = once(process, 'message');
  process.send?.(message);
  await taken;
}

async function read({ files, bounds, assumedCurrency }: ReadTask): Promise<void> {
  const sums = new CostSums(bounds.maxLines);
  let [bytes, rows, assumedRows] = [0, 0, 0];
  let format: CostFormat | undefined;
  const budget: Budget = { ...bounds, bytesLeft: bounds.maxBytes, onBytes: (more) => (bytes += more) };
  for (const file of files) {
    let known: object | undefined;
    for await (const { header, cells, row } of rowsOf(file.path, budget)) {
      if (rows >= bounds.maxRows) throw new Unreadable('too_many_rows', { most: bounds.maxRows });
      if (known === undefined || (format === undefined && known !== header)) {
        const found = formatOf(header);
        if ('missing' in found) {
          if (isContractCommitments(header))
            throw new Unreadable('contract_commitments', { file: file.name });
          throw new Unreadable('unknown_columns', {
            columns: found.missing.slice(0, 8).join(', '),
            file: file.name,
          });
        }
        if (format !== undefined && format !== found.format)
          throw new Unreadable('mixed_formats', { file: file.name });
        format = found.format;
        known = header;
      }
      try {
        const lines = linesOf(required(format, 'the format'), header, cells, assumedCurrency ?? undefined);
        for (const line of lines) sums.add(line);
        if (lines.some(({ isAssumed }) => isAssumed)) assumedRows++;
      } catch (error) {
        if (error instanceof RowMistake)
          throw new Unreadable(`row_${error.rule}`, { row, column: error.column, value: error.value });
        throw error;
      }
      if (++rows % progressRows === 0) await tell({ kind: 'progress', bytes, rows });
    }
  }
  if (format === undefined || rows === 0) throw new Unreadable('empty');
  await tell({ kind: 'scopes', scopes: sums.scopes });
  const all = [...sums.lines.values()];
  for (const lines of chunksOf(all, linesAtOnce))
    await tell({
      kind: 'lines',
      lines: lines.map((line) => ({ ...line, ...amountTexts(line) })),
    });
  const totals = [...sums.totals.values()].map((total): ReadTotal => ({ ...total, ...amountTexts(total) }));
  await tell({ kind: 'end', format, rows, assumedRows, totals });
}

const amountTexts = ({ billed, effective, list }: Pick<PeriodTotal, 'billed' | 'effective' | 'list'>) => ({
  billed: costText(billed),
  effective: costText(effective),
  list: costText(list),
});

function mistakeOf(error: unknown, { bounds }: ReadTask): ReadMistake | undefined {
  if (error instanceof Unreadable) return error.mistake;
  if (error instanceof TooManyLines)
    return { rule: 'too_many_lines', params: { most: bounds.maxLines }, row: null, column: null };
  return undefined;
}

obeyConsole();
const [task]: ReadTask[] = await once(process, 'message');
if (!task) throw new Error('no task');
try {
  await read(task);
} catch (error) {
  const mistake = mistakeOf(error, task);
  if (!mistake) throw error;
  await tell({ kind: 'mistake', mistake });
}
