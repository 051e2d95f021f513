// What rows of bank statements are for: by reference, by who paid, by amount; each proposal says why and how certain it is.
import type { certainties, matchReasons } from './contract.ts';

export type Certainty = (typeof certainties)[number];
export type MatchReason = (typeof matchReasons)[number];
/** What is awaited. `codes`: a transfer's reference and bill's number, as {@link codesIn} finds them. */
export type Awaited = {
  readonly kind: 'transfer' | 'bill' | 'refund';
  readonly id: string;
  readonly codes: readonly string[];
  readonly organizationId: string;
  readonly organization: string;
  readonly minor: bigint;
};
export type MatchRow = {
  readonly id: string;
  readonly minor: bigint;
  readonly words: string;
  readonly payerName: string;
  readonly payerAccount: string;
};
export type Proposal = {
  readonly rowId: string;
  readonly target: Awaited;
  readonly reason: MatchReason;
  readonly certainty: Certainty;
};

/** Full-width signs as half-width ones, in capitals. */
const plain = (text: string): string => text.normalize('NFKC').toUpperCase();
/** The signs that ids never have, as people type them by mistake. */
const asTyped = (code: string): string => code.replaceAll('O', '0').replaceAll(/[IL]/g, '1');

/** The code of a transfer's reference (`PAY-…`) or a bill's number (`B-…`): how it is found in any spelling. */
export function codeOf(name: string): string {
  const bare = plain(name).replace(/[^A-Z0-9]/g, '');
  return bare.startsWith('PAY') ? `PAY${asTyped(bare.slice(3))}` : bare;
}

/** Every code that some words may hold: spaces, dashes and dots within are skipped, and so is what a bank put around it. */
export function codesIn(words: string): string[] {
  const text = plain(words);
  const bare = text.replace(/[^A-Z0-9]/g, '');
  const found = new Set<string>();
  for (const [, code] of text.matchAll(/PAY[^A-Z0-9]*((?:[A-Z0-9][\s\-.:_/]*){8})/g))
    found.add(codeOf(`PAY${code ?? ''}`));
  for (const [, code] of bare.matchAll(/PAY(?=([A-Z0-9]{8}))/g)) found.add(codeOf(`PAY${code ?? ''}`));
  for (const [, month, number] of text.matchAll(/B[\s\-.:_/]*(\d{6})[\s\-.:_/]*(\d{6,9})(?!\d)/g))
    found.add(`B${month ?? ''}${number ?? ''}`);
  for (const [, month, number] of bare.matchAll(/B(\d{6})(\d{6,9})(?!\d)/g))
    found.add(`B${month ?? ''}${number ?? ''}`);
  return [...found];
}

/** A name without what is written in many ways: spaces, signs, and the form of the company. */
export function plainOrganization(name: string): string {
  return plain(name)
    .replace(/(股份)?有限公司|\b(CO|LTD|LIMITED|INC|CORP|CORPORATION|COMPANY|LLC|GMBH)\b\.?/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Under which a payer is remembered: the account when the bank says it, and the name. */
export function payerKeys(row: Pick<MatchRow, 'payerName' | 'payerAccount'>): string[] {
  const account = plain(row.payerAccount).replace(/[^A-Z0-9*]/g, '');
  const name = plainOrganization(row.payerName);
  // A masked account (*****12345) is nobody's in particular.
  return [
    ...(account.length >= 5 && !account.includes('*') ? [`account ${account}`] : []),
    ...(name === '' ? [] : [`name ${name}`]),
  ];
}

const isLongEnough = (name: string): boolean =>
  /\p{Script=Han}/u.test(name) ? name.length >= 2 : name.length >= 4;

function proposalFor(row: MatchRow, known: Known): Omit<Proposal, 'rowId'> | undefined {
  const named = codesIn(row.words)
    .flatMap((code) => known.byCode.get(code) ?? [])
    .filter((each) => isOut(each) === row.minor < 0n);
  const only = new Set(named.map((each) => each.id)).size === 1 ? named[0] : undefined;
  if (only) {
    const same = only.minor === row.minor;
    const reason =
      only.kind === 'bill'
        ? same
          ? 'bill_number'
          : 'bill_number_amount_differs'
        : same
          ? 'reference'
          : 'reference_amount_differs';
    return { target: only, reason, certainty: same ? 'certain' : 'likely' };
  }
  // Several are named: what belongs to which is for a person to say.
  if (named.length > 0) return undefined;
  const fitting = known.byAmount.get(row.minor) ?? [];
  if (row.minor < 0n)
    return fitting.length === 1 && fitting[0]
      ? { target: fitting[0], reason: 'refund', certainty: 'possible' }
      : undefined;
  const keys = payerKeys(row);
  const payers = new Set(keys.flatMap((key) => known.payers.get(key) ?? []));
  // Names are shared by many, accounts by nobody.
  const isByAccount = keys.some((key) => key.startsWith('account ') && known.payers.has(key));
  const ofPayer = fitting.filter((each) => payers.has(each.organizationId));
  if (payers.size === 1 && ofPayer.length > 0 && ofPayer[0])
    return {
      target: ofPayer[0],
      reason: 'payer_amount',
      certainty: ofPayer.length > 1 ? 'possible' : isByAccount ? 'certain' : 'likely',
    };
  const said = plainOrganization(`${row.payerName} ${row.words}`);
  const ofName = fitting.filter(
    (each) =>
      isLongEnough(plainOrganization(each.organization)) &&
      said.includes(plainOrganization(each.organization)),
  );
  if (ofName.length === 1 && ofName[0])
    return { target: ofName[0], reason: 'name_amount', certainty: 'likely' };
  if (ofName.length > 1) return undefined;
  return fitting.length === 1 && fitting[0]
    ? { target: fitting[0], reason: 'amount', certainty: 'possible' }
    : undefined;
}

function byCode(awaited: readonly Awaited[]): Map<string, Awaited[]> {
  const found = new Map<string, Awaited[]>();
  for (const each of awaited)
    for (const code of each.codes) found.set(code, [...(found.get(code) ?? []), each]);
  return found;
}

const isOut = (awaited: Awaited): boolean => awaited.kind === 'refund';
type Known = {
  readonly byCode: ReadonlyMap<string, Awaited[]>;
  readonly byAmount: ReadonlyMap<bigint, Awaited[]>;
  readonly payers: ReadonlyMap<string, readonly string[]>;
};

/**
 * Proposes what rows are for. Certain is only what names one awaited thing with its very amount, or comes from an account of one
 * organization that awaits that amount once; whatever two rows claim is certain for neither. A bill that an announced transfer pays is
 * awaited once, as that transfer. Amounts of refunds are negative.
 */
export function proposals(
  rows: readonly MatchRow[],
  awaited: readonly Awaited[],
  payers: ReadonlyMap<string, readonly string[]>,
): Proposal[] {
  const known: Known = {
    byCode: byCode(awaited),
    byAmount: Map.groupBy(awaited, (each) => each.minor),
    payers,
  };
  const made = rows.flatMap((row): Proposal[] => {
    const found = proposalFor(row, known);
    return found ? [{ rowId: row.id, ...found }] : [];
  });
  const claims = Map.groupBy(made, (proposal) => `${proposal.target.kind} ${proposal.target.id}`);
  return made.flatMap((proposal): Proposal[] => {
    const rivals = claims.get(`${proposal.target.kind} ${proposal.target.id}`) ?? [];
    if (rivals.length === 1) return [proposal];
    // Who names it outbids who only has its amount; two of the same kind are both doubtful.
    const isNamed = (each: Proposal): boolean => each.certainty !== 'possible';
    if (!isNamed(proposal) && rivals.some(isNamed)) return [];
    return [
      rivals.filter(isNamed).length <= 1 && isNamed(proposal)
        ? proposal
        : { ...proposal, certainty: 'possible' },
    ];
  });
}
