import { type Ask, after, example, of, type Person, pair, type Stage } from '../stage.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const merchants = { acct_a: 'sk_of_ada', acct_b: 'sk_of_bob' };

/** The example with two merchants, which it leaves open, and without its open version. */
function document(): string {
  const items = Object.entries(merchants).map(([id, key]) => `{ id: ${id}, key: ${key} }`);
  return example('payments')
    .replace(/^ {2}items: \(open\).*$/m, `  items: [${items.join(', ')}]`)
    .replace(/^scheme: date\n[^`]*/m, '(none)\n');
}

async function made(place: string, owner: Person, ask: Ask, body: string) {
  return { id: (await ask(`POST /v1/${place}`, owner, body, form)).at('id'), merchant: owner.actor['is'] };
}

const customer = (owner: Person, ask: Ask) => made('customers', owner, ask, 'name=Ada');
const payment = (owner: Person, ask: Ask) => made('payment_intents', owner, ask, 'amount=900&currency=eur');

/** What is known of a request whose body names something of somebody's. */
function naming(member: string, item: Awaited<ReturnType<typeof made>>) {
  return { id: item.id, names: { request: { body: { [member]: { is: item.id, ...item } } } } };
}

export const payments: Stage = {
  document: document(),
  options: { handlers: { network: () => undefined, challenge: () => undefined } },
  carry: { basic: after('Basic'), bearer: after('Bearer') },
  people: async () => {
    const by = (id: keyof typeof merchants, scheme: string, credential: string): Person => ({
      name: `${id} by ${scheme}`,
      actor: { is: id },
      scheme,
      credential,
    });
    return [
      by('acct_a', 'basic', pair(merchants.acct_a, '')),
      by('acct_a', 'bearer', merchants.acct_a),
      by('acct_b', 'basic', pair(merchants.acct_b, '')),
      by('acct_b', 'bearer', merchants.acct_b),
    ];
  },
  owners: (one) => one.scheme === 'bearer',
  about: {
    createCustomer: () => ({ body: 'name=Ada', fields: form }),
    readCustomer: async (owner, _, ask) => of('v1/customers', await customer(owner, ask)),
    updateCustomer: async (owner, _, ask) => ({
      ...of('v1/customers', await customer(owner, ask)),
      body: 'name=Bob',
      fields: form,
    }),
    deleteCustomer: async (owner, _, ask) => of('v1/customers', await customer(owner, ask)),
    listCustomers: async (owner, _, ask) => ({ shows: await customer(owner, ask) }),
    createPayment: async (owner, _, ask) => {
      const one = await customer(owner, ask);
      return { ...naming('customer', one), body: `amount=900&currency=eur&customer=${one.id}`, fields: form };
    },
    readPayment: async (owner, _, ask) => of('v1/payment_intents', await payment(owner, ask)),
    updatePayment: async (owner, _, ask) => ({
      ...of('v1/payment_intents', await payment(owner, ask)),
      body: 'amount=901',
      fields: form,
    }),
    // Nothing has been paid so far, so that these are refused, but not by part 5.
    confirmPayment: async (owner, _, ask) => ({
      ...of('v1/payment_intents', await payment(owner, ask), '/confirm'),
      refused: { status: 400, code: 'payment_intent_unexpected_state' },
    }),
    captureWhole: async (owner, _, ask) => ({
      ...of('v1/payment_intents', await payment(owner, ask), '/capture'),
      refused: { status: 400, code: 'payment_intent_unexpected_state' },
    }),
    capturePayment: async (owner, _, ask) => ({
      ...of('v1/payment_intents', await payment(owner, ask), '/capture'),
      body: 'amount_to_capture=1',
      fields: form,
      refused: { status: 400, code: 'payment_intent_unexpected_state' },
    }),
    cancelSilently: async (owner, _, ask) => of('v1/payment_intents', await payment(owner, ask), '/cancel'),
    cancelPayment: async (owner, _, ask) => ({
      ...of('v1/payment_intents', await payment(owner, ask), '/cancel'),
      body: 'cancellation_reason=abandoned',
      fields: form,
    }),
    createRefund: async (owner, _, ask) => {
      const one = await payment(owner, ask);
      return {
        ...naming('payment_intent', one),
        body: `payment_intent=${one.id}&amount=1`,
        fields: form,
        refused: { status: 400, code: 'charge_already_refunded' },
      };
    },
    readRefund: (owner) => ({
      ...of('v1/refunds', { id: 're_of_nobody', merchant: owner.actor['is'] }),
      refused: { status: 404, code: 'resource_missing' },
    }),
  },
};
