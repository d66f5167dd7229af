import { type Given, text } from '../command.ts';
import { UsageError } from '../usage.ts';

/**
 * An address that an option gives; undefined where it is left out. One that is not on this machine needs a word of its
 * own: items are made and removed there.
 *
 * @throws UsageError
 */
export function addressOf(given: Given, option: 'url' | 'reset'): string | undefined {
  const url = text(given, option);
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isWhole = option === 'url' ? !parsed?.search && !parsed?.hash : true;
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || !isWhole)
    throw new UsageError(`${url} is no address of a service: write it as http://127.0.0.1:8080`);
  const isHere = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  if (!isHere && given.values['allow-remote'] !== true)
    throw new UsageError(
      `${parsed.host} is not on this machine; items are made and removed there: say --allow-remote`,
    );
  return url;
}
