// ClickHouse's HTTP interface in front of the real engine, which runs inside this process (npm package chdb):
// for tests.
//   node clickhouse-server.mjs <folder of node_modules with chdb> <folder for its data>
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const [, , packages, folder] = process.argv;
const { Session } = createRequire(`${packages}/index.js`)('chdb');
const session = new Session(folder);
session.query('create database if not exists events');
session.query('use events');

/** Inserts the query parameters, `{name:Type}`, as literals. */
const filled = (query, parameters) =>
  query.replaceAll(/\{(\w+):([^}]+)\}/g, (_whole, name, type) => {
    const value = parameters.get(`param_${name}`) ?? '';
    return type.startsWith('Array')
      ? `cast(${value} as ${type})`
      : `cast('${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}' as ${type})`;
  });
const password = 'the password of ClickHouse';

createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const { searchParams: parameters } = new URL(request.url, 'http://localhost');
    const [, given = ''] = (request.headers.authorization ?? '').split(' ');
    if (Buffer.from(given, 'base64').toString('utf8') !== `console:${password}`) {
      response
        .writeHead(403)
        .end('Code: 516. DB::Exception: console: Authentication failed. (AUTHENTICATION_FAILED)');
      return;
    }
    const body = Buffer.concat(pieces).toString('utf8');
    const query = parameters.get('query');
    try {
      for (const [name, value] of parameters)
        if (/^(date_time|output_format)/.test(name)) session.query(`set ${name} = '${value}'`);
      const whole = query === null ? filled(body, parameters) : `${filled(query, parameters)}\n${body}`;
      const format = /\bFORMAT (\w+)\s*$/i.exec(query ?? body)?.[1] ?? 'JSONEachRow';
      const text = session.query(query === null ? whole.replace(/\bFORMAT \w+\s*$/i, '') : whole, format);
      response.writeHead(200, { 'x-clickhouse-format': format }).end(text);
    } catch (error) {
      response
        .writeHead(500, { 'x-clickhouse-exception-code': '1' })
        .end(String(error.message).replace('Query failed: ', ''));
    }
  });
}).listen(0, '127.0.0.1', function listening() {
  process.stdout.write(`${this.address().port}\n`);
});
