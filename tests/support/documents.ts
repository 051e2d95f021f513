// Reads code blocks from the documentation.
import { readFileSync } from 'node:fs';
import { required } from '#kernel/assert.ts';

/** The code blocks of a language in a document, in order. */
export function codeOf(document: string, language: string): string[] {
  const text = readFileSync(document, 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) =>
    required(match[1], 'the code of a block'),
  );
}
