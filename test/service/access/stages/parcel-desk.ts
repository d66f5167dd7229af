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

const credentials = { desk: { office: 'open sesame' } };
const parcel = { recipient: 'Ada', address: { street: 'Low 1', town: 'Ely', country: 'GB' }, weight: 900 };
const hook = { url: 'https://example.org/', kinds: ['parcel.moving'] };

/** A parcel of somebody's, which a courier has picked up where one is given. */
async function made(owner: Person, ask: Ask, courier?: Person) {
  const id = (await ask('POST /parcels', owner, parcel)).at('id');
  if (courier) await ask(`POST /parcels/${id}/pick-up`, courier, { place: 'Ely' });
  return { id, sender: owner.actor['is'], ...(courier && { courier: courier.actor['is'] }) };
}

const isCourier = ({ actor }: Person): boolean => actor['role'] === 'courier';

export const parcelDesk: Stage = {
  document: example('parcel-desk'),
  options: { credentials },
  carry: { key: inHeader('X-Desk-Key'), desk: after('Basic') },
  people: async (ask) => {
    const office = outsider('desk', 'office', credentials);
    const account = async (name: string, role: string): Promise<Person> => {
      const got = await ask('POST /accounts', office, { email: `${name}@example.org`, role });
      return { name, actor: { is: got.at('id'), role }, scheme: 'key', credential: got.at('key') };
    };
    const [ada, bob] = [await account('ada', 'sender'), await account('bob', 'sender')];
    return [ada, bob, await account('cleo', 'courier'), await account('dan', 'courier'), office];
  },
  owners: (one) => one.actor['role'] === 'sender',
  about: {
    registerAccount: (owner) => {
      const body = {
        email: `${unused('new')}@example.org`,
        role: owner.name === 'ada' ? 'sender' : 'courier',
      };
      return { body, names: { request: { body } } };
    },
    registerParcel: () => ({ body: parcel }),
    listParcels: async (owner, _, ask) => ({ shows: await made(owner, ask) }),
    readParcel: async (owner, _, ask) => of('parcels', await made(owner, ask)),
    correctParcel: async (owner, _, ask) => ({
      ...of('parcels', await made(owner, ask)),
      body: { weight: 901 },
      fields: { 'Content-Type': 'application/merge-patch+json', 'If-Match': '*' },
    }),
    pickUpParcel: async (owner, _, ask) => ({
      ...of('parcels', await made(owner, ask), '/pick-up'),
      body: { place: 'Ely' },
    }),
    deliverParcel: async (owner, asker, ask) =>
      of('parcels', await made(owner, ask, isCourier(asker) ? asker : undefined), '/delivery'),
    cancelParcel: async (owner, _, ask) => of('parcels', await made(owner, ask), '/cancellation'),
    // Of two couriers one has picked it up, whoever asks. The other is refused, but not by part 5.
    scanParcel: async (owner, asker, ask, people) => {
      const carrier = people.find(isCourier);
      const one = await made(owner, ask, carrier);
      return {
        target: `/parcels/${one.id}/scans`,
        id: one.id,
        body: { place: 'Ely' },
        names: { parcel: one },
        ...(asker !== carrier && { refused: { status: 403, code: 'not_carried' } }),
      };
    },
    listScans: async (owner, _, ask) => {
      const one = await made(owner, ask);
      return { target: `/parcels/${one.id}/scans`, id: one.id, names: { parcel: one } };
    },
    addHook: () => ({ body: hook }),
    removeHook: async (owner, _, ask) =>
      of('hooks', { id: (await ask('POST /hooks', owner, hook)).at('id'), owner: owner.actor['is'] }),
  },
};
