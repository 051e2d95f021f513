// The readme of an export, in both languages, one after the other: each file, and what is left out and why.
import type { Language } from '#kernel/language.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { exportedTables, fileOf, tableRules } from '../rules.ts';
import { exportFolders, leftOutReasons } from '../rules-table.ts';

type Described = {
  readonly organization: string;
  /** The number of rows of each file. */
  readonly rows: ReadonlyMap<string, number>;
};

/** The readme's text. */
export function readme(ctx: Ctx, described: Described): string {
  return `${(['zhTW', 'enUS'] as const).map((language) => inLanguage(ctx, described, language)).join(`\n${'='.repeat(78)}\n\n`)}\n`;
}

function inLanguage(ctx: Ctx, { organization, rows }: Described, language: Language): string {
  const translate = (key: string, params = {}): string => ctx.text(key, params, language);
  const line = (file: string, words: string): string => `  ${file}  ${words}`;
  // used as: 'personaldata.folder_*', 'personaldata.file_*', 'personaldata.why_*'
  const folders = exportFolders.map((folder) =>
    [
      translate(`personaldata.folder_${folder}`),
      ...exportedTables
        .filter((table) => table.folder === folder)
        .map((table) =>
          line(
            fileOf(table),
            translate('personaldata.readme_file', {
              words: translate(`personaldata.file_${table.name}`),
              rows: String(rows.get(fileOf(table)) ?? 0),
            }),
          ),
        ),
      ...(folder === 'people' ? [line('people/pictures/', translate('personaldata.readme_pictures'))] : []),
      ...(folder === 'usage'
        ? [line('usage/archived_events.csv', translate('personaldata.readme_archived'))]
        : []),
      ...(folder === 'bills'
        ? [
            line('bills/pdf/', translate('personaldata.readme_bills')),
            line('bills/credit-note-pdf/', translate('personaldata.readme_credit_notes')),
          ]
        : []),
    ].join('\n'),
  );
  const leftOut = leftOutReasons.map((reason) => {
    const tables = Object.entries(tableRules).flatMap(([name, rule]) =>
      'why' in rule && rule.why === reason ? [name] : [],
    );
    return line(tables.join(', '), `\n    ${translate(`personaldata.why_${reason}`)}`);
  });
  const ofPayers = exportedTables.flatMap(({ name, isOfPayer }) => (isOfPayer ? [name] : []));
  leftOut.push(line(ofPayers.join(', '), `\n    ${translate('personaldata.readme_resold')}`));
  return [
    translate('personaldata.readme_title', { organization }),
    translate('personaldata.readme_made', { moment: ctx.now.toISOString() }),
    translate('personaldata.readme_format'),
    ...folders,
    `${translate('personaldata.readme_left_out')}\n${leftOut.join('\n')}`,
    translate('personaldata.readme_manifest'),
  ].join('\n\n');
}
