// What an Admin does with services, on the whole console.
import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue, type Service } from '#features/catalogue/contract.ts';
import { subscriptions } from '#features/subscriptions/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from './test-console.ts';

let console: TestConsole;
let token: string;
const make = (name: string): Promise<Service> => console.ok(catalogue.createService, { name, type: 'Storage', category: 'Own', pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '0.0000004' }, meter: { eventType: 'e', aggregation: 'sum', unit: 'GB' } }, { token });
const listed = async (): Promise<[number, string[]]> => {
  const { total, items } = await console.ok(catalogue.adminListServices, { sort: 'name' }, { token });
  return [total, items.map((service) => service.name)];
};

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
});

describe('R-CAT-05 services in batches', () => {
  it('deletes what nobody subscribed to, names what stays, and the total follows', async () => {
    const [free, used] = [await make('Free'), await make('Used')];
    const customer = await registerUser(console, 'one@customer.example', 'Customer');
    await console.ok(subscriptions.subscribe, { serviceId: used.id }, { token: customer.token });
    const answer = await console.ok(catalogue.batchServices, { ids: [free.id, used.id], action: 'delete' }, { token });
    expect([answer.changed, answer.refused.map((one) => [one.id, one.code])]).toEqual([1, [[used.id, 'catalogue.still_used']]]);
    expect(await listed()).toEqual([1, ['Used']]);
  });

  it('deactivates and activates, and deletes one by itself', async () => {
    const one = await make('One');
    await console.ok(catalogue.batchServices, { ids: [one.id], action: 'deactivate' }, { token });
    const inactive = await console.ok(catalogue.adminListServices, { status: 'inactive' }, { token });
    expect([inactive.total, inactive.items.map((service) => service.id)]).toEqual([1, [one.id]]);
    await console.ok(catalogue.deleteService, { serviceId: one.id }, { token });
    expect(await listed()).toEqual([1, ['Used']]);
  });
});
