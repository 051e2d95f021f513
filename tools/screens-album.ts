// Presents the pictures: a page to browse them, and a table of routes and findings.
import type { Finding, FindingKind, Picture } from './screens-camera.ts';

/** The file next to the pictures that lists those of the last run. */
export const picturesFile = 'pictures.json';

const kinds: readonly FindingKind[] = ['axe', 'sideways', 'error', 'key', 'title'];

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
const byVisit = (pictures: readonly Picture[]): ReadonlyMap<string, readonly Picture[]> =>
  Map.groupBy(pictures, (picture) => picture.visit.name);

/**
 * A table of routes and kinds of findings, with the number of pictures. A finding that occurs in several
 * looks counts once per look.
 */
export function tableOf(pictures: readonly Picture[]): string {
  const rows = [...byVisit(pictures)].map(([name, all]) => {
    const findings = all.flatMap((picture) => picture.findings);
    return [
      name,
      all[0]?.visit.path ?? '',
      String(all.length),
      ...kinds.map((kind) => String(findings.filter((one) => one.kind === kind).length)),
    ];
  });
  const lines = [['name', 'path', 'looks', ...kinds], ...rows];
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One HTML page: a section per route, its pictures side by side, its findings below. */
export function albumOf(pictures: readonly Picture[]): string {
  const sections = [...byVisit(pictures)].map(
    ([name, all]) =>
      `<h2>${escaped(name)} <small>${escaped(all[0]?.visit.path ?? '')}</small></h2>\n${findingsOf(all)}<div>${all
        .filter((one) => one.file !== '')
        .map(figureOf)
        .join('')}</div>`,
  );
  return `<!doctype html>\n<meta charset="utf-8">\n<title>Screens</title>\n<style>
body { font: 14px/1.5 sans-serif; margin: 24px; background: #eee }
div { display: flex; gap: 16px; overflow-x: auto; align-items: flex-start }
figure { margin: 0; flex: none } img { max-height: 480px; border: 1px solid #999; background: #fff } li { color: #a00 }
</style>\n<h1>Screens</h1>\n<pre>${escaped(tableOf(pictures))}</pre>\n${sections.join('\n')}\n`;
}

function findingsOf(pictures: readonly Picture[]): string {
  const byText = Map.groupBy(
    pictures.flatMap((picture) =>
      picture.findings.map((finding: Finding) => ({ picture, text: `${finding.kind}: ${finding.what}` })),
    ),
    (one) => one.text,
  );
  const items = [...byText].map(
    ([text, all]) =>
      `<li>${escaped(text)} (${all.map(({ picture }) => `${picture.width} ${picture.mode} ${picture.language}`).join(', ')})</li>`,
  );
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>\n`;
}

function figureOf({ file, width, mode, language }: Picture): string {
  return `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${width} ${mode} ${language}</figcaption></figure>`;
}
