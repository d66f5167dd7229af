import { readFileSync } from 'node:fs';

/** The items that the description's examples name, made before a tester that cannot make them itself runs. */
export async function prepared(url: string, officeSecret: string): Promise<Readonly<Record<string, string>>> {
  const ask = async (method: string, path: string, key: string | null, body?: unknown): Promise<Members> => {
    const authorization = `Basic ${Buffer.from(`office:${officeSecret}`).toString('base64')}`;
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(key === null ? { Authorization: authorization } : { 'X-Desk-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return (text.startsWith('{') ? JSON.parse(text) : {}) as Members;
  };
  const account = async (role: string): Promise<Members> =>
    await ask('POST', '/accounts', null, { email: `${role}@example.org`, role });
  const [sender, courier] = [await account('sender'), await account('courier')];
  const [senderKey, courierKey] = [String(sender['key']), String(courier['key'])];
  const address = { street: 'Main 1', town: 'Ulm', country: 'DE' };
  const parcel = async (weight: number, moves = false): Promise<string> => {
    const made = await ask('POST', '/parcels', senderKey, { recipient: 'Ada', address, weight });
    const id = String(made['id']);
    if (moves) await ask('POST', `/parcels/${id}/pick-up`, courierKey, { place: 'the hub' });
    return id;
  };
  const hook = await ask('POST', '/hooks', senderKey, {
    url: 'https://127.0.0.1:9/',
    kinds: ['parcel.moving'],
  });
  return {
    SENDER: senderKey,
    COURIER: courierKey,
    ACCOUNT: String(sender['id']),
    EMAIL: 'sender@example.org',
    NEW_EMAIL: 'another@example.org',
    PARCEL: await parcel(1200),
    CORRECTED: await parcel(1200),
    PICKED_UP: await parcel(1200),
    MOVING: await parcel(1200, true),
    DELIVERED: await parcel(1200, true),
    CANCELLED: await parcel(1200),
    HEAVY: await parcel(25_000),
    HOOK: String(hook['id']),
  };
}

type Members = Readonly<Record<string, unknown>>;

/** The description with these names filled in. */
export function described(names: Readonly<Record<string, string>>): string {
  const text = readFileSync(new URL('parcel-desk.openapi.yaml', import.meta.url), 'utf8');
  return text.replaceAll(/@([A-Z_]+)@/g, (_all, name: string) => names[name] ?? '');
}
