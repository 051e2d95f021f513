// Makes src/generated from openapi.json, which `node tools/sdk.ts` writes from the console's contracts.
import { readFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
// The client takes answers out of their envelope, so their types are those of `data`.
for (const path of Object.values(document.paths))
  for (const operation of Object.values(path))
    for (const response of Object.values(operation.responses ?? {})) {
      const answer = response.content?.['application/json'];
      if (answer?.schema?.properties?.data) answer.schema = answer.schema.properties.data;
    }

await createClient({
  input: document,
  logs: { level: 'warn', file: false },
  output: { path: 'src/generated', importFileExtension: '.js' },
  plugins: [
    { name: '@hey-api/client-fetch', throwOnError: true },
    '@hey-api/typescript',
    {
      name: '@hey-api/sdk',
      responseStyle: 'data',
      operations: { strategy: 'single', containerName: 'Operations', nesting: 'operationId' },
    },
  ],
});
