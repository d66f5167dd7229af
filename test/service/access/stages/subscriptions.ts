import {
  type Ask,
  after,
  example,
  inHeader,
  of,
  outsider,
  type Person,
  type Stage,
  unused,
} from '../stage.ts';

const credentials = { accounts: { office: 'canary' } };
const hook = { url: 'https://example.org/' };

/** A customer, by now with a subscription and, once two weeks have passed, an invoice. */
async function join(ask: Ask, name: string): Promise<Person> {
  const body = { email: `${name}@example.org`, plan: 'team' };
  const got = await ask('POST /customers', null, body);
  const person: Person = {
    name,
    actor: { is: got.at('id'), ...body },
    scheme: 'key',
    credential: got.at('key'),
  };
  const subscription = (await ask('POST /subscriptions', person)).at('id');
  return { ...person, actor: { ...person.actor, subscription } };
}

const subscriptionOf = ({ actor }: Person) => ({ id: String(actor['subscription']), customer: actor['is'] });

async function invoiceOf(owner: Person, ask: Ask): Promise<string> {
  return (await ask('GET /invoices', owner)).at('invoices', '0', 'id');
}

async function hookOf(owner: Person, ask: Ask) {
  return { id: (await ask('POST /hooks', owner, hook)).at('id'), owner: owner.actor['is'] };
}

export const subscriptions: Stage = {
  document: example('subscriptions'),
  options: { credentials },
  carry: { key: inHeader('X-Api-Key'), accounts: after('Basic') },
  people: async (ask, pass) => {
    const [ada, bob] = [await join(ask, 'ada'), await join(ask, 'bob')];
    pass(15 * 86_400_000);
    return [ada, bob, outsider('accounts', 'accounts', credentials)];
  },
  owners: (one) => one.scheme === 'key',
  about: {
    listPlans: () => ({}),
    register: () => ({ body: { email: `${unused('new')}@example.org`, plan: 'team' } }),
    // Each customer has one already.
    subscribe: () => ({ refused: { status: 409, code: 'subscribed' } }),
    readSubscription: (owner) => of('subscriptions', subscriptionOf(owner)),
    endSubscription: (owner) => ({
      ...of('subscriptions', subscriptionOf(owner), '/cancellation'),
      orElse: 409,
    }),
    listInvoices: async (owner, _, ask) => ({
      shows: { id: await invoiceOf(owner, ask), subscription: subscriptionOf(owner) },
    }),
    pay: async (owner, _, ask) => {
      const id = await invoiceOf(owner, ask);
      return { ...of('invoices', { id, subscription: subscriptionOf(owner) }, '/payment'), orElse: 409 };
    },
    addHook: () => ({ body: hook }),
    readHook: async (owner, _, ask) => of('hooks', await hookOf(owner, ask)),
    // It is active.
    resumeHook: async (owner, _, ask) => ({
      ...of('hooks', await hookOf(owner, ask), '/resumption'),
      refused: { status: 409, code: 'wrong_state' },
    }),
    removeHook: async (owner, _, ask) => of('hooks', await hookOf(owner, ask)),
  },
};
