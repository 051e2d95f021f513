// `npm run architecture`: checks every import against .dependency-cruiser.mjs and draws
// docs/contributor/architecture.md from the same imports. With --check it writes nothing and fails if the
// drawing is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, format, type ICruiseResult, type IReporterOutput } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const root = path.resolve(import.meta.dirname, '..');
const drawing = path.join(root, 'docs/contributor/architecture.md');
const folders = ['src', 'tests', 'tools', 'e2e', 'bench', 'verify', 'verify-licence', 'verify-bill'];
const isCheck = process.argv.includes('--check');

const heading = `# Architecture

Every arrow stands for at least one import. Generated from the code by \`npm run architecture\`. The rules, each with its reason, are in
[.dependency-cruiser.mjs](../../.dependency-cruiser.mjs): layers (app, features, platform, kernel), features in one direction,
public entry points only, no cycles. \`npm run check\` rejects imports that violate them.
`;

process.chdir(root);
const options = await extractDepcruiseOptions(path.join(root, '.dependency-cruiser.mjs'));
const { output: result } = await cruise(folders, options);
if (typeof result === 'string')
  throw new Error('dependency-cruiser answered a report instead of its findings');

const problems = result.summary.error > 0 ? textOf(await format(result, { outputType: 'err' })) : '';
process.stdout.write(problems);

const text = await draw(result);
if (!isCheck) writeFileSync(drawing, text);
const isStale = isCheck && readFileSync(drawing, 'utf8') !== text;
if (isStale)
  process.stdout.write('docs/contributor/architecture.md is out of date: run `npm run architecture`.\n');
process.exitCode = problems !== '' || isStale ? 1 : 0;

function textOf({ output }: IReporterOutput): string {
  if (typeof output !== 'string') throw new Error('dependency-cruiser answered findings instead of a report');
  return output;
}

/** Draws one diagram of the layers and groups of features, and one of the features alone. */
async function draw(found: ICruiseResult): Promise<string> {
  const picture = async (focus: string, collapse: string): Promise<string> => {
    const drawn = await format(found, {
      outputType: 'mermaid',
      includeOnly: focus,
      exclude: '\\.test\\.tsx?$',
      collapse,
    });
    return `\`\`\`mermaid\n${textOf(drawn).trim()}\n\`\`\`\n`;
  };
  return [
    heading,
    '## Layers and groups of features\n',
    await picture('^src/', '^src/(features/[^/]+|platform/[^/]+|kernel|app)'),
    '## Features\n',
    await picture('^src/features/', '^src/features/[^/]+/[^/]+'),
  ].join('\n');
}
