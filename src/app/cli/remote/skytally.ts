// `skytally …`: operates a console from anywhere over its API, as the person who signed this machine in.
// Commands that need the machine with the database are in `npm run cli`.
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { Argument, Option, type Command } from 'commander';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { contentLanguages, type Language } from '#kernel/language.ts';
import { clientEnvironment } from '#platform/server/config.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../caller.ts';
import { CommandRefused } from '../command-refused.ts';
import { defineFileCommands } from '../options.ts';
import { applyFile, exportFile, planFile, type FileWord } from '../plan-file.ts';
import { runProgram } from '../program.ts';
import {
  callApi,
  getBill,
  listBills,
  listOrganizations,
  listSubscriptions,
  previewClose,
  sendUsage,
  type ListOptions,
  type CommandContext,
} from './commands.ts';
import { completionOf, shells } from './completion.ts';
import { caller, sender } from './http-call.ts';
import { factsOf, login, logout, whoami, type LoginOptions, type Setting } from './login.ts';
import { credentialsOf, languageFor, translatorIn, type RemoteTerminal, type Say } from './session.ts';

const name = 'skytally';
const monthOf = (word: string, say: Say): BillingMonth => {
  if (!isMonth(word)) throw new CommandRefused(say('cli.month_wrong'));
  return word;
};
const limitOf = (word: string, say: Say): string => {
  if (!/^\d{1,3}$/.test(word) || Number(word) < 1 || Number(word) > 200)
    throw new CommandRefused(say('cli.limit_wrong'));
  return word;
};

/** The language, determined before the arguments are parsed, because parse errors use it too. */
function languageIn(words: readonly string[], asked: string | undefined): Language {
  const place = words.indexOf('--language');
  const named = place === -1 ? undefined : words[place + 1];
  return languageFor(named ?? asked);
}

/** Runs one command of `skytally` and returns the exit status: 0 done, 1 done with findings, 2 not done. */
export async function skytally(words: readonly string[], terminal: RemoteTerminal): Promise<number> {
  const language = languageIn(words, terminal.settings().language);
  const say = translatorIn(language);
  const setting: Setting = { terminal, language, say };
  return runProgram(
    name,
    words,
    terminal,
    (program, run) => {
      const answers = (answer: () => Promise<Answer>): void =>
        run(async () => {
          const { data, lines, status = 0 } = await answer();
          const isJson = program.opts<{ json?: true }>().json === true;
          terminal.out(isJson ? `${JSON.stringify(data)}\n` : lines.map((line) => `${line}\n`).join(''));
          return status;
        });
      program
        .usage('COMMAND [--json] [--language zhTW|enUS]')
        .option('--json', 'print the result as JSON')
        .addOption(
          new Option('--language <language>', 'language of headings and errors').choices(contentLanguages),
        )
        .addHelpText(
          'after',
          `
Sign in with "skytally login", or set SKYTALLY_ADDRESS and SKYTALLY_KEY. To send usage, set SKYTALLY_METERING_KEY to a key that reports usage.
Exit status: 0 done, 1 done with findings, 2 not done.
For commands that need the database’s machine (users, backups, restore, verify …): npm run cli -- --help`,
        );
      defineSession(program, setting, answers);
      defineLists(program, setting, answers);
      defineFiles(program, setting, answers);
      program
        .command('completion')
        .description('print shell completions: source <(skytally completion bash)')
        .addArgument(new Argument('<SHELL>').choices(shells))
        .action((shell: (typeof shells)[number]) =>
          run(async () => {
            terminal.out(completionOf(shell, program));
            return 0;
          }),
        );
    },
    language,
  );
}

type Answers = (answer: () => Promise<Answer>) => void;

/**
 * What commands work with; the sign-in is read when they run. `meters`: uses the key for reporting usage, if
 * there is one.
 */
function contextOf(setting: Setting, meters = false): CommandContext {
  const { terminal, language, say } = setting;
  const { meteringKey } = terminal.settings();
  const { address, key } =
    meters && meteringKey !== undefined
      ? { address: addressOf(setting), key: meteringKey }
      : credentialsOf(terminal, say);
  const send = sender({ address, key }, language, say);
  return {
    call: caller(send),
    send,
    say,
    terminal,
    isAdmin: async () => (await factsOf(setting)).role === 'Admin',
  };
}

/** The console's address when a key for reporting usage is given: then nobody needs to be signed in. */
function addressOf({ terminal, say }: Setting): string {
  const { address } = terminal.settings();
  return address ?? credentialsOf(terminal, say).address;
}

function defineSession(program: Command, setting: Setting, answers: Answers): void {
  program
    .command('login')
    .description('sign in on this machine by confirming a code in a browser')
    .option('--address <url>', 'address of the console')
    .option('--name <name>', 'name of the new key (default: this machine’s name)')
    .option('--permissions <list>', 'permissions to request, such as billing:read,catalogue:write')
    .option('--irreversible', 'also request irreversible calls')
    .action((options: LoginOptions) => answers(() => login(options, setting)));
  program
    .command('logout')
    .description('revoke this machine’s key')
    .action(() => answers(() => logout(setting)));
  program
    .command('whoami')
    .description('show whom the key acts for and what it can do')
    .action(() => answers(() => whoami(setting)));
}

function defineLists(program: Command, setting: Setting, answers: Answers): void {
  const { say } = setting;
  const context = (): CommandContext => contextOf(setting);
  const limit = (): Option =>
    new Option('--limit <count>', 'up to 200').default('50').argParser((word) => limitOf(word, say));
  const month = (word: string): BillingMonth => monthOf(word, say);

  const bills = program.command('bills').description('list and view bills');
  bills
    .command('list')
    .description('list bills, newest first')
    .addOption(new Option('--month <YYYY-MM>').argParser(month))
    .addOption(limit())
    .action((options: ListOptions & { month?: BillingMonth }) =>
      answers(() => listBills(context(), options)),
    );
  bills
    .command('get')
    .description('show a bill with its lines')
    .argument('<NUMBER|ID>')
    .action((bill: string) => answers(() => getBill(context(), bill)));
  const organizations = program
    .command('organizations')
    .description('list organizations; export, plan, and apply them as a file');
  defineFile(organizations, 'organizations', setting, answers);
  organizations
    .command('list')
    .argument('[SEARCH]')
    .addOption(limit())
    .action((search: string | undefined, options: ListOptions) =>
      answers(() => listOrganizations(context(), { ...options, ...(search !== undefined && { search }) })),
    );
  program
    .command('subscriptions')
    .description('list subscriptions')
    .command('list')
    .addOption(limit())
    .action((options: ListOptions) => answers(() => listSubscriptions(context(), options)));
  program
    .command('close')
    .description('preview a month’s close')
    .command('preview')
    .description('show what closing a month would issue')
    .addArgument(new Argument('<YYYY-MM>').argParser(month))
    .action((asked: BillingMonth) => answers(() => previewClose(context(), asked)));
  program
    .command('usage')
    .description('send usage events')
    .command('send')
    .description('send events from a JSON array or JSON lines; the same file counts only once')
    .argument('<FILE|->')
    .action((file: string) => answers(() => sendUsage(contextOf(setting, true), file)));
  program
    .command('api')
    .description('call any endpoint, such as: skytally api GET /bills')
    .argument('<METHOD>')
    .argument('<PATH>', 'path below /api, with its query')
    .option('--data <json>', 'request body: JSON, @file, or - for standard input')
    .option('--field <name>', 'print one field of the response, such as items.0.id')
    .action((method: string, path: string, options: { data?: string; field?: string }) =>
      answers(() => callApi(context(), method, path, options)),
    );
}

/** The commands `export`, `plan` and `apply` for one kind of file. */
function defineFile(under: Command, word: FileWord, setting: Setting, answers: Answers): void {
  const call = (): Call => contextOf(setting).call;
  defineFileCommands(under, {
    export: (path) => answers(() => exportFile(call(), word, path)),
    plan: (path) => answers(() => planFile(call(), name, word, path)),
    apply: (path, planId) => answers(() => applyFile(call(), name, word, path, planId)),
  });
}

function defineFiles(program: Command, setting: Setting, answers: Answers): void {
  const webhooks = program.command('webhooks').description('export, plan, and apply your webhooks as a file');
  defineFile(webhooks, 'webhooks', setting, answers);
  const catalogue = program.command('catalogue').description('export, plan, and apply the catalog as a file');
  defineFile(catalogue, 'catalogue', setting, answers);
}

if (import.meta.main)
  process.exitCode = await skytally(process.argv.slice(2), {
    settings: () => clientEnvironment(),
    out: (written) => void process.stdout.write(written),
    err: (written) => void process.stderr.write(written),
    input: () => text(process.stdin),
    pause: (ms) => pause(ms),
  });
