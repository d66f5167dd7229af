import { type Screen, screens } from './screens.ts';

/** What is shown: a screen, what is selected in it, and how it is narrowed. It stands in the address. */
export interface Route {
  readonly screen: Screen;
  /** What is selected: an address, an operation, a request; null: nothing. */
  readonly selected: string | null;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The address of something on a screen. */
export function to(
  screen: Screen,
  selected: string | null = null,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(parameters).toString();
  const end = selected === null ? '' : `/${encodeURIComponent(selected)}`;
  return `#/${screen}${end}${search === '' ? '' : `?${search}`}`;
}

/** Reads the part of an address behind `#`. What is none leads to the map. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name, selected] = path.split('/');
  const screen = screens.find((one) => one === name) ?? 'map';
  return {
    screen,
    selected: screen === name && selected !== undefined && selected !== '' ? decoded(selected) : null,
    parameters: Object.fromEntries(new URLSearchParams(search)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let current = $state(routeOf(location.hash));
addEventListener('hashchange', () => {
  current = routeOf(location.hash);
});

/** What is shown now. */
export function route(): Route {
  return current;
}

/** What is shown on a screen. It stays as it was once another screen is shown, until that has taken its place. */
export function routeOn(screen: Screen): () => Route {
  let last = current;
  return () => {
    if (current.screen === screen) last = current;
    return last;
  };
}

/** Shows something else, without a step in the history where `isSame` says that it is the same. */
export function go(address: string, isSame = false): void {
  if (isSame) history.replaceState(null, '', address);
  else location.hash = address;
  current = routeOf(address);
}
