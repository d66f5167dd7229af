import type { Trial } from '../trial.ts';

/** Makes of a credential one that is not good. */
export type Fault = (credential: string, trial: Trial) => string;

export const faults: readonly (readonly [string, Fault])[] = [
  ['a credential that nobody has', (_, { random }) => inBase64(_, () => random.letters(24))],
  ['a credential that was changed', (credential) => inBase64(credential, changed)],
  ['a credential that was cut', (credential) => inBase64(credential, (text) => text.slice(0, -1))],
];

/** One character of it another. */
function changed(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
}

/** What is name and password is changed in the password. */
function inBase64(credential: string, change: (text: string) => string): string {
  const decoded = Buffer.from(credential, 'base64').toString();
  const isPair = Buffer.from(decoded).toString('base64') === credential && decoded.includes(':');
  if (!isPair) return change(credential);
  const [name = '', password = ''] = decoded.split(':');
  const pair = password === '' ? `${change(name)}:` : `${name}:${change(password)}`;
  return Buffer.from(pair).toString('base64');
}
