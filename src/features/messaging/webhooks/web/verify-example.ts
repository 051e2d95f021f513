// Example code of a receiver; docs/integrator/webhooks.md contains the same.

/** A module for Node.js, without dependencies. */
export const verifyExample = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the request's bytes as text, before JSON.parse
export function isGenuine(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return headers['webhook-signature'].split(' ').some((each) => {
    const [version, signature] = each.split(',');
    const given = Buffer.from(signature ?? '', 'base64');
    return version === 'v1' && given.length === expected.length
      && timingSafeEqual(given, expected);
  });
}`;
