// Matches rows of bank statements to expected payments: by reference, payer, or amount. Each proposal has a
// reason and a certainty.
import type { certainties, matchReasons } from './contract.ts';

export type Certainty = (typeof certainties)[number];
export type MatchReason = (typeof matchReasons)[number];
/**
 * An expected payment. `codes`: the transfer's reference and the bill's number, in the form that {@link
 * codesIn} finds.
 */
export type ExpectedPayment = {
  readonly kind: 'transfer' | 'bill' | 'consolidated' | 'refund';
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
  readonly target: ExpectedPayment;
  readonly reason: MatchReason;
  readonly certainty: Certainty;
};

/** Normalizes full-width characters to half-width ones, in upper case. */
const plain = (text: string): string => text.normalize('NFKC').toUpperCase();
/** Replaces letters that ids never contain with the digits they are mistaken for. */
const asTyped = (code: string): string => code.replaceAll('O', '0').replaceAll(/[IL]/g, '1');

/**
 * The normalized code of a transfer's reference (`PAY-…`), or of the number of a bill (`B-…`) or a
 * consolidated bill (`CB-…`), by which it is found in any spelling.
 */
export function codeOf(name: string): string {
  const bare = plain(name).replace(/[^A-Z0-9]/g, '');
  return bare.startsWith('PAY') ? `PAY${asTyped(bare.slice(3))}` : bare;
}

/**
 * Returns every possible code in a text; ignores spaces, dashes and dots inside a code, and characters that a
 * bank put around it.
 */
export function codesIn(words: string): string[] {
  const text = plain(words);
  const bare = text.replace(/[^A-Z0-9]/g, '');
  const found = new Set<string>();
  for (const [, code] of text.matchAll(/PAY[^A-Z0-9]*((?:[A-Z0-9][\s\-.:_/]*){8})/g))
    found.add(codeOf(`PAY${code ?? ''}`));
  for (const [, code] of bare.matchAll(/PAY(?=([A-Z0-9]{8}))/g)) found.add(codeOf(`PAY${code ?? ''}`));
  // With the C, it is a consolidated bill's number, not also a bill's.
  for (const [, series, month, number] of text.matchAll(/(C?B)[\s\-.:_/]*(\d{6})[\s\-.:_/]*(\d{6,9})(?!\d)/g))
    found.add(`${series ?? ''}${month ?? ''}${number ?? ''}`);
  for (const [, series, month, number] of bare.matchAll(/(C?B)(\d{6})(\d{6,9})(?!\d)/g))
    found.add(`${series ?? ''}${month ?? ''}${number ?? ''}`);
  return [...found];
}

/** Normalizes an organization's name by removing parts that vary: spaces, punctuation, and the legal form. */
export function plainOrganization(name: string): string {
  return plain(name)
    .replace(/(股份)?有限公司|\b(CO|LTD|LIMITED|INC|CORP|CORPORATION|COMPANY|LLC|GMBH)\b\.?/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the keys under which a payer is remembered: the account if the bank states it, and the name. */
export function payerKeys(row: Pick<MatchRow, 'payerName' | 'payerAccount'>): string[] {
  const account = plain(row.payerAccount).replace(/[^A-Z0-9*]/g, '');
  const name = plainOrganization(row.payerName);
  // A masked account (*****12345) does not identify a payer.
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
    const isExactAmount = only.minor === row.minor;
    const reason =
      only.kind === 'bill' || only.kind === 'consolidated'
        ? isExactAmount
          ? 'bill_number'
          : 'bill_number_amount_differs'
        : isExactAmount
          ? 'reference'
          : 'reference_amount_differs';
    return { target: only, reason, certainty: isExactAmount ? 'certain' : 'likely' };
  }
  // If several payments are named, an Admin must decide which amount belongs to which.
  if (named.length > 0) return undefined;
  const fitting = known.byAmount.get(row.minor) ?? [];
  if (row.minor < 0n)
    return fitting.length === 1 && fitting[0]
      ? { target: fitting[0], reason: 'refund', certainty: 'possible' }
      : undefined;
  const keys = payerKeys(row);
  const payers = new Set(keys.flatMap((key) => known.payers.get(key) ?? []));
  // Several payers can share a name, but not an account.
  const isByAccount = keys.some((key) => key.startsWith('account ') && known.payers.has(key));
  const ofPayer = fitting.filter((each) => payers.has(each.organizationId));
  if (payers.size === 1 && ofPayer.length > 0 && ofPayer[0])
    return {
      target: ofPayer[0],
      reason: 'payer_amount',
      certainty: ofPayer.length > 1 ? 'possible' : isByAccount ? 'certain' : 'likely',
    };
  const payerText = plainOrganization(`${row.payerName} ${row.words}`);
  const ofName = fitting.filter(
    (each) =>
      isLongEnough(plainOrganization(each.organization)) &&
      payerText.includes(plainOrganization(each.organization)),
  );
  if (ofName.length === 1 && ofName[0])
    return { target: ofName[0], reason: 'name_amount', certainty: 'likely' };
  if (ofName.length > 1) return undefined;
  return fitting.length === 1 && fitting[0]
    ? { target: fitting[0], reason: 'amount', certainty: 'possible' }
    : undefined;
}

function byCode(awaited: readonly ExpectedPayment[]): Map<string, ExpectedPayment[]> {
  const found = new Map<string, ExpectedPayment[]>();
  for (const each of awaited)
    for (const code of each.codes) found.set(code, [...(found.get(code) ?? []), each]);
  return found;
}

const isOut = (awaited: ExpectedPayment): boolean => awaited.kind === 'refund';
type Known = {
  readonly byCode: ReadonlyMap<string, ExpectedPayment[]>;
  readonly byAmount: ReadonlyMap<bigint, ExpectedPayment[]>;
  readonly payers: ReadonlyMap<string, readonly string[]>;
};

/**
 * Proposes matches for rows. A match is certain only if the row names one expected payment with exactly its
 * amount, or comes from the account of an organization with exactly one expected payment of that amount; a
 * payment that two rows could match is certain for neither. A bill with an announced transfer is expected
 * once, as that transfer. Amounts of refunds are negative.
 */
export function proposals(
  rows: readonly MatchRow[],
  awaited: readonly ExpectedPayment[],
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
    // A row that names the payment takes precedence over rows with only its amount; of two rows of the same
    // kind, both are uncertain.
    const isNamed = (each: Proposal): boolean => each.certainty !== 'possible';
    if (!isNamed(proposal) && rivals.some(isNamed)) return [];
    return [
      rivals.filter(isNamed).length <= 1 && isNamed(proposal)
        ? proposal
        : { ...proposal, certainty: 'possible' },
    ];
  });
}
