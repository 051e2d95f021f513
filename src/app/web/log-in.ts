// Signs in a user who has just set a password on another feature's page.
import { signin } from '#features/access/signin/contract.ts';
import { createClient } from '#platform/web/api/api.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { signIn } from '#platform/web/session/session.ts';

const api = createClient(signin, consoleApi);

export async function logIn(account: string, password: string): Promise<void> {
  signIn(await api.login({ account, password }));
}
