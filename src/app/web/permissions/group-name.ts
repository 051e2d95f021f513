// What a group of the permission table is called.
import { useConsoleTexts, type ConsoleKey } from '../console-texts.ts';

const names: Readonly<Record<string, ConsoleKey>> = {
  pages: 'permissions.group_pages', identity: 'permissions.group_identity', signin: 'permissions.group_signin', federation: 'permissions.group_federation', notifications: 'permissions.group_notifications', catalogue: 'permissions.group_catalogue', subscriptions: 'permissions.group_subscriptions',
  usage: 'permissions.group_usage', insights: 'permissions.group_insights', rejections: 'permissions.group_rejections', quotas: 'permissions.group_quotas', budgets: 'permissions.group_budgets', billing: 'permissions.group_billing', payments: 'permissions.group_payments', licensing: 'permissions.group_licensing',
  administration: 'permissions.group_administration', console: 'permissions.group_console',
};

/** A feature without a name here shows its own. */
export function useGroupName(): (group: string) => string {
  const t = useConsoleTexts();
  return (group) => {
    const key = names[group];
    return key === undefined ? group : t(key);
  };
}
