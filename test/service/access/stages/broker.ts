import { type Ask, after, example, outsider, type Person, type Stage, unused } from '../stage.ts';

const credentials = { basic: { platform: 'open sesame' } };
const shared = { service: 'database', plan: 'shared' };

/** Where an instance is that is ready, with a binding where one is wanted. */
async function instance(owner: Person, ask: Ask, isBound = false): Promise<string> {
  const at = `/v2/instances/${unused('i')}`;
  await ask(`PUT ${at}`, owner, { ...shared, space: 'ours' });
  if (isBound) await ask(`PUT ${at}/bindings/b`, owner, shared);
  return at;
}

export const broker: Stage = {
  document: example('broker'),
  options: { credentials },
  fields: { 'X-Broker-Version': '2.1' },
  carry: { basic: after('Basic') },
  people: async () => [outsider('basic', 'platform', credentials)],
  about: {
    readCatalog: () => ({}),
    provision: () => ({ target: `/v2/instances/${unused('i')}`, body: { ...shared, space: 'ours' } }),
    readInstance: async (owner, _, ask) => ({ target: await instance(owner, ask) }),
    changeInstance: async (owner, _, ask) => ({
      target: `${await instance(owner, ask)}?asynchronous=true`,
      body: { service: 'database', plan: 'dedicated' },
    }),
    deprovision: async (owner, _, ask) => ({
      target: `${await instance(owner, ask)}?asynchronous=true&service=database&plan=shared`,
    }),
    pollInstance: async (owner, _, ask) => ({ target: `${await instance(owner, ask)}/last_operation` }),
    bind: async (owner, _, ask) => ({ target: `${await instance(owner, ask)}/bindings/b`, body: shared }),
    readBinding: async (owner, _, ask) => ({ target: `${await instance(owner, ask, true)}/bindings/b` }),
    unbind: async (owner, _, ask) => ({
      target: `${await instance(owner, ask, true)}/bindings/b?service=database&plan=shared`,
    }),
  },
};
