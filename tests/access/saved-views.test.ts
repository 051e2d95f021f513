// Saved views: each user has their own, with unique names.
import { beforeAll, describe, expect, it } from 'vitest';
import { identity, maxPinned, maxViews, pinnedScreen } from '#features/access/identity/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
let user: string;
const save = (name: string, query = 'status=active', screen = 'services', token = admin) =>
  console.call(identity.saveView, { screen, name, query }, { token });
const names = async (screen = 'services', token = admin): Promise<string[]> =>
  (await console.ok(identity.savedViews, { screen }, { token })).items.map((view) => view.name);

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  user = (await registerUser(console, 'one@one.example', 'One')).token;
});

describe('saved views', () => {
  it('are saved, renamed, changed and deleted per person and screen', async () => {
    const { data: view } = await save('運算');
    await save('運算', 'x=1', 'users');
    await save('運算', 'x=1', 'services', user);
    expect(
      (await console.ok(identity.changeView, { viewId: view.id, name: '運算與儲存' }, { token: admin }))
        .query,
    ).toBe('status=active');
    await console.ok(identity.changeView, { viewId: view.id, query: 'status=inactive' }, { token: admin });
    expect(
      (await console.ok(identity.savedViews, { screen: 'services' }, { token: admin })).items,
    ).toMatchObject([{ name: '運算與儲存', query: 'status=inactive' }]);
    for (const call of [identity.changeView, identity.deleteView])
      expect((await console.call(call, { viewId: view.id }, { token: user })).status).toBe(404);
    await console.ok(identity.deleteView, { viewId: view.id }, { token: admin });
    expect([await names(), await names('users'), await names('services', user)]).toEqual([
      [],
      ['運算'],
      ['運算'],
    ]);
  });

  it('have unique names, even when created concurrently, and a maximum number', async () => {
    const answers = await Promise.all([save('Mine'), save('MINE')]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409]);
    const { data: other } = await save('Other');
    const renamed = await console.call(
      identity.changeView,
      { viewId: other.id, name: 'mine' },
      { token: admin },
    );
    expect([renamed.envelope.code, renamed.envelope.errors?.map((error) => error.field)]).toEqual([
      'identity.view_name_taken',
      ['name'],
    ]);
    for (let index = (await names()).length; index < maxViews; index++) await save(`View ${index}`);
    expect((await save('One too many')).envelope.code).toBe('identity.too_many_views');
  });

  it('also hold pinned pages: at most twelve, each once, in the order of pinning', async () => {
    const paths = Array.from(
      { length: maxPinned },
      (_, index) => `/page/${String.fromCodePoint(122 - index)}`,
    );
    for (const path of paths) {
      console.clock.advance(1000);
      expect((await save(path, '', pinnedScreen)).status).toBe(201);
    }
    const { items } = await console.ok(identity.savedViews, { screen: pinnedScreen }, { token: admin });
    expect(
      items.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).map((view) => view.name),
    ).toEqual(paths);
    expect((await save(paths[0]!, '', pinnedScreen)).status).toBe(409);
    expect((await save('/one/more', '', pinnedScreen)).envelope).toMatchObject({
      code: 'identity.too_many_views',
      message: expect.stringContaining('12'),
    });
  });
});
