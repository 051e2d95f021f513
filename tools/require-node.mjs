// Runs before every program: stops with a helpful message when the current Node is too old to run TypeScript.
// Plain JavaScript for Node 18 and later.
//   node tools/require-node.mjs && …     or     node --import ./tools/require-node.mjs …

const oldest = 24;
const found = process.versions.node;

if (Number(found.split('.')[0]) < oldest) {
  const onMac = process.platform === 'darwin';
  const zh = onMac
    ? '在 macOS 上請先安裝 Node ' + oldest + '（https://nodejs.org），再重新執行。'
    : '請在專案資料夾執行「npm ci」（不要加 --omit=optional）：它會一併安裝 Node ' +
      oldest +
      '。之後請用「npm start」或「npm test」執行。';
  const en = onMac
    ? 'On macOS install Node ' + oldest + ' first (https://nodejs.org) and run this again.'
    : 'Run "npm ci" in the project folder (without --omit=optional): it brings Node ' +
      oldest +
      ' along. Then use "npm start" or "npm test".';
  process.stderr.write(
    '\n需要 Node ' +
      oldest +
      ' 以上，目前是 ' +
      found +
      '（' +
      process.execPath +
      '）。\n' +
      zh +
      '\n\nNode ' +
      oldest +
      ' or later is needed, this is ' +
      found +
      ' (' +
      process.execPath +
      ').\n' +
      en +
      '\n\n',
  );
  process.exit(1);
}

// Caches the compiled TypeScript files between starts: a start is faster and needs less memory.
const { enableCompileCache } = await import('node:module');
enableCompileCache?.();

// Normally a signal without a listener ends a process; but not the first process of a container, which would
// continue to start until it is killed. When there are listeners, such as the console's once it is up, they
// alone decide.
if (process.pid === 1)
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
