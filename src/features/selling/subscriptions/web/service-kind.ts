// The kind of a service, based on the words that providers use for it.
import type { Service } from '#features/selling/catalogue/contract.ts';

/**
 * The first kind with a matching word counts; the type takes precedence over the name, and the name over the
 * category.
 */
const words = {
  ai: /\bai\b|machine learning|inference|llm|token|gpu|人工智慧|推論|模型/i,
  containers: /kubernetes|container|容器/i,
  database: /database|sql|redis|dynamo|資料庫/i,
  security: /security|identity|key|firewall|waf|安全|防護|身分/i,
  network: /network|cdn|bandwidth|gateway|vpn|dns|網路|頻寬|流量/i,
  integration: /integration|queue|notification|message|api|整合|佇列|訊息/i,
  storage: /storage|backup|disk|儲存|備份/i,
  management: /management|governance|monitor|analytics|監控|管理|分析/i,
  support: /support|支援|維護/i,
  people: /seat|user|software|席次|座席|軟體/i,
  compute: /compute|server|virtual|machine|function|hosting|運算|主機|虛擬/i,
  other: /$^/,
} as const;
export type ServiceKind = keyof typeof words;
const kinds = Object.keys(words) as ServiceKind[];

export function kindOf({ type, name, category }: Pick<Service, 'name' | 'type' | 'category'>): ServiceKind {
  for (const text of [type, name, category]) {
    const found = kinds.find((kind) => words[kind].test(text));
    if (found !== undefined) return found;
  }
  return 'other';
}

/** The index of a kind; neighboring kinds have different colors. */
export const placeOfKind = (kind: ServiceKind): number => kinds.indexOf(kind);
