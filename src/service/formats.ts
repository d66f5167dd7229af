import type { Ajv2020 } from 'ajv/dist/2020.js';
import plugin from 'ajv-formats';
import { uuidForm } from '../specification/agreement.ts';

const addFormats = plugin as unknown as typeof plugin.default;

/**
 * Adds the formats of JSON Schema Validation §7.3, as the RFCs that it names define them: those of ajv-formats,
 * but for where it takes more or less than those do.
 */
export function addStatedFormats(ajv: Ajv2020): void {
  addFormats(ajv);
  const given = (name: string): ((text: string) => boolean) => {
    const format = ajv.formats[name];
    if (format instanceof RegExp) return (text) => format.test(text);
    if (typeof format === 'function') return format as (text: string) => boolean;
    return (format as { validate: (text: string) => boolean }).validate;
  };
  const dateTime = given('date-time');
  const reference = given('uri-reference');
  // RFC 3339 §5.6 lets others agree on a space; its grammar has a T.
  ajv.addFormat('date-time', (text: string) => !/\s/.test(text) && dateTime(text));
  // RFC 3986 §4.2: without a scheme, the first segment holds no colon.
  ajv.addFormat(
    'uri-reference',
    (text: string) => !/^(?![a-z][\w+.-]*:)[^/?#]*:/i.test(text) && reference(text),
  );
  ajv.addFormat('uuid', uuidForm);
  ajv.addFormat('email', isMailbox);
  ajv.addFormat('regex', isPattern);
}

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const quoted = '"([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
const label = '[a-z\\d]([a-z\\d-]*[a-z\\d])?';
const literal =
  '\\[(\\d{1,3}(\\.\\d{1,3}){3}|IPv6:[\\da-f:.]+|[a-z\\d-]*[a-z\\d]:[\\x21-\\x5a\\x5e-\\x7e]+)\\]';
const mailbox = new RegExp(`^(${atom}(\\.${atom})*|${quoted})@(${label}(\\.${label})*|${literal})$`, 'i');

/** RFC 5321 §4.1.2, with the lengths of §4.5.3.1. */
function isMailbox(text: string): boolean {
  return text.length <= 254 && text.lastIndexOf('@') <= 64 && mailbox.test(text);
}

/** ECMA-262, without what Annex B puts up with. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
